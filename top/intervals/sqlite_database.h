#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace heddle {

/// What SQLite or the system has against it. what() is the reason alone: "No space left on device".
class SqliteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A database file of SQLite. Every call throws SqliteError, or std::bad_alloc.
class SqliteDatabase {
 public:
  enum class Access {
    kCreate,  ///< a new file, no link on the way to it, and without a journal: it counts when it is whole
    kRead,    ///< one that anybody may have made: nothing in it is run
    /// One that several processes write in at the same time, made when it is not there: with a write-ahead
    /// log and locks, so on a disk of this machine. What is committed stays, whatever happens to the machine.
    kShared,
    kSharedRead,  ///< the same, which has to be there, for those who read alone
  };
  SqliteDatabase(const std::string& path, Access access);
  /// One in memory, which nobody else sees.
  SqliteDatabase();
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  /// Statements without results.
  void execute(const std::string& sql);
  /// Closes the file; what it says of the last writes counts.
  void close();

 private:
  friend class SqliteStatement;
  void open_to_write(const std::string& path);
  void open_to_read(const std::string& path);
  void open_shared(const std::string& path, bool to_read);
  bool lacks_log() const;
  [[noreturn]] void fail() const;
  void check(int result) const;

  sqlite3* handle_ = nullptr;
};

/// One statement, compiled once. Parameters and columns count from 0.
class SqliteStatement {
 public:
  SqliteStatement(const SqliteDatabase& database, const std::string& sql);
  ~SqliteStatement();
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  /// Values from 2^63 on become negative numbers, as SQLite has no others.
  SqliteStatement& bind(int parameter, std::uint64_t value);
  SqliteStatement& bind(int parameter, double value);
  SqliteStatement& bind(int parameter, std::string_view text);
  SqliteStatement& bind_null(int parameter);
  /// Runs it to its end, and makes it ready for the next time.
  void run();
  /// The next row of its results; false after the last one.
  bool step();
  int columns() const;
  /// Makes it ready for the next time, before its last row.
  void reset();
  bool is_null(int column) const;
  bool is_whole(int column) const;  ///< an integer
  std::uint64_t number(int column) const;
  /// A number that must be whole and at least 0: throws SqliteError for anything else.
  std::uint64_t count(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  const SqliteDatabase& database_;
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace heddle
