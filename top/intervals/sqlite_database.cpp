#include "top/intervals/sqlite_database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <new>
#include <thread>
#include <utility>

#include "base/stop.h"

namespace heddle {

namespace {

/// Without locks: output folders belong to one process (OutputFolder), and what is read is whole.
constexpr const char* kFiles = "unix-none";

constexpr const char* kInMemory = ":memory:";  ///< SQLite's name of a database without a file

constexpr int kStepsBetweenLooks = 10000;

[[noreturn]] void fail_with(int error) { throw SqliteError(std::strerror(error)); }

constexpr int kFileMode = 0666;

/// A new file: no link that leads elsewhere is followed.
void make_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode);
  if (descriptor < 0) fail_with(errno);
  close(descriptor);
}

void expect_writable(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) fail_with(errno);
  close(descriptor);
}

/// SQLite tries to read what it can't create, and then says of a file that is not there only that.
void expect_creatable(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
  if (descriptor < 0) fail_with(errno);
  close(descriptor);
}

/// Of a file, whatever it is called: ":memory:" and "file:..." mean something else to SQLite.
std::string name_of_file(const std::string& path) {
  return std::filesystem::path(path).is_absolute() ? path : "./" + path;
}

/// The file of a database that nobody writes: SQLite needs neither locks nor a log for it.
std::string uri_of_unchanging(const std::string& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).lexically_normal().string()) {
    if (c == '?' || c == '#' || c == '%') {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

/// Something was committed that the file itself does not have yet.
bool has_log(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path + "-wal", error);
  return !error && bytes != 0;
}

/// A file that is read may make its queries long.
int stop_asked(void* /*unused*/) { return stop_cause() == StopCause::kNone ? 0 : 1; }

}  // namespace

SqliteDatabase::SqliteDatabase(const std::string& path, Access access) {
  const std::string file = name_of_file(path);
  try {
    if (access == Access::kCreate) {
      make_file(file);
      open_to_write(file);
    } else if (access == Access::kRead) {
      open_to_read(file);
    } else {
      open_shared(file, access == Access::kSharedRead);
    }
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

SqliteDatabase::SqliteDatabase() {
  try {
    open_shared(kInMemory, false);
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

/// SQLite opens a file to read alone when it can't open it to write, and does not say why.
void SqliteDatabase::open_to_write(const std::string& path) {
  constexpr int kFlags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW;
  check(sqlite3_open_v2(path.c_str(), &handle_, kFlags, kFiles));
  if (sqlite3_db_readonly(handle_, "main") != 0) {
    expect_writable(path);
    sqlite3_close(std::exchange(handle_, nullptr));
    check(sqlite3_open_v2(path.c_str(), &handle_, kFlags, kFiles));
  }
  execute(
      "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = ON");
}

void SqliteDatabase::open_to_read(const std::string& path) {
  check(sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY, kFiles));
  for (const auto& [option, on] :
       {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1), std::pair(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        std::pair(SQLITE_DBCONFIG_ENABLE_VIEW, 0), std::pair(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)}) {
    check(sqlite3_db_config(handle_, option, on, nullptr));
  }
  sqlite3_progress_handler(handle_, kStepsBetweenLooks, &stop_asked, nullptr);
  execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

/// The log can't be made where nothing may be written. Without one the file has everything.
bool SqliteDatabase::lacks_log() const {
  const int result = sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr);
  return result == SQLITE_READONLY || result == SQLITE_CANTOPEN;
}

void SqliteDatabase::open_shared(const std::string& path, bool to_read) {
  constexpr int kBusyMilliseconds = 60'000;
  // Also to read: what a killed process has left is put in order first, where that may be written.
  const int access = SQLITE_OPEN_READWRITE | (to_read ? 0 : SQLITE_OPEN_CREATE);
  const int opened = sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_NOMUTEX | access, nullptr);
  if (opened == SQLITE_CANTOPEN && !to_read) expect_creatable(path);
  check(opened);
  check(sqlite3_busy_timeout(handle_, kBusyMilliseconds));
  if (to_read && lacks_log() && !has_log(path)) {
    sqlite3_close(std::exchange(handle_, nullptr));
    check(sqlite3_open_v2(uri_of_unchanging(path).c_str(), &handle_,
                          SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr));
  }
  check(sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
  check(sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr));
  execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
  if (to_read) return;
  if (sqlite3_db_readonly(handle_, "main") != 0) {
    expect_writable(path);
    throw SqliteError("can't be written");
  }
  // Of two that make a new file's log at once SQLite tells one, without waiting, that the file is locked.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyMilliseconds);
  int result = SQLITE_BUSY;
  while ((result = sqlite3_exec(handle_, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr)) ==
             SQLITE_BUSY &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  check(result);
  execute("PRAGMA synchronous = FULL");
}

SqliteDatabase::~SqliteDatabase() { sqlite3_close(handle_); }

void SqliteDatabase::close() {
  check(sqlite3_close(handle_));
  handle_ = nullptr;
}

void SqliteDatabase::check(int result) const {
  if (result != SQLITE_OK) fail();
}

void SqliteDatabase::fail() const {
  if (handle_ == nullptr) throw std::bad_alloc();
  switch (sqlite3_errcode(handle_)) {
    case SQLITE_NOMEM:
      // A damaged file may ask for any amount.
      if (sqlite3_db_readonly(handle_, "main") == 1) throw SqliteError("asks for more memory than there is");
      throw std::bad_alloc();
    case SQLITE_INTERRUPT:
      throw_if_stopped();
      break;
    case SQLITE_FULL:
      fail_with(ENOSPC);
    default:
      break;
  }
  const int error = sqlite3_system_errno(handle_);
  if (error != 0) fail_with(error);
  if (sqlite3_errcode(handle_) == SQLITE_IOERR) fail_with(EIO);
  throw SqliteError(sqlite3_errmsg(handle_));
}

void SqliteDatabase::execute(const std::string& sql) {
  check(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr));
}

SqliteStatement::SqliteStatement(const SqliteDatabase& database, const std::string& sql)
    : database_(database) {
  database_.check(sqlite3_prepare_v2(database_.handle_, sql.c_str(), -1, &handle_, nullptr));
}

SqliteStatement::~SqliteStatement() { sqlite3_finalize(handle_); }

SqliteStatement& SqliteStatement::bind(int parameter, std::uint64_t value) {
  database_.check(sqlite3_bind_int64(handle_, parameter + 1, static_cast<sqlite3_int64>(value)));
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, double value) {
  database_.check(sqlite3_bind_double(handle_, parameter + 1, value));
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view text) {
  database_.check(
      sqlite3_bind_text64(handle_, parameter + 1, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

SqliteStatement& SqliteStatement::bind_null(int parameter) {
  database_.check(sqlite3_bind_null(handle_, parameter + 1));
  return *this;
}

void SqliteStatement::run() {
  while (step()) {
  }
  sqlite3_reset(handle_);
}

bool SqliteStatement::step() {
  const int result = sqlite3_step(handle_);
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) database_.fail();
  return false;
}

void SqliteStatement::reset() { sqlite3_reset(handle_); }

bool SqliteStatement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

bool SqliteStatement::is_whole(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_INTEGER;
}

int SqliteStatement::columns() const { return sqlite3_column_count(handle_); }

std::uint64_t SqliteStatement::number(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(handle_, column));
}

std::uint64_t SqliteStatement::count(int column) const {
  if (sqlite3_column_type(handle_, column) != SQLITE_INTEGER || sqlite3_column_int64(handle_, column) < 0) {
    throw SqliteError(std::string("column ") + sqlite3_column_name(handle_, column) + " has '" +
                      text(column) + "', expected a whole number of at least 0");
  }
  return number(column);
}

double SqliteStatement::real(int column) const { return sqlite3_column_double(handle_, column); }

std::string SqliteStatement::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(handle_, column);
  const int bytes = sqlite3_column_bytes(handle_, column);
  return text == nullptr ? ""
                         : std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(bytes));
}

}  // namespace heddle
