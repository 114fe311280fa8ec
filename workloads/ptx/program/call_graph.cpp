#include "workloads/ptx/program/call_graph.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <vector>

#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

bool names(const ast::Operand& operand, const ast::Variable& variable) {
  return operand.symbol == &variable ||
         std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const ast::Operand& element) { return names(element, variable); });
}

class RecursionSearch {
 public:
  bool search(const ast::Function& function) {
    if (std::find(path_.begin(), path_.end(), &function) != path_.end()) {
      path_.push_back(&function);
      return true;
    }
    if (!done_.insert(&function).second) {
      return false;
    }
    path_.push_back(&function);
    for (const ast::Instruction& instruction : function.body) {
      if (instruction.callee != nullptr && search(*instruction.callee)) {
        return true;
      }
    }
    path_.pop_back();
    return false;
  }

  std::string cycle() const {
    std::string text;
    for (auto at = std::find(path_.begin(), path_.end(), path_.back()); at != path_.end(); ++at) {
      text += (text.empty() ? "" : " -> ") + (*at)->name;
    }
    return text;
  }

 private:
  std::vector<const ast::Function*> path_;
  std::unordered_set<const ast::Function*> done_;
};

}  // namespace

void ParamAccesses::Pieces::add(std::uint64_t offset, std::uint64_t bytes) {
  const auto next = bytes_at.lower_bound(offset);
  if (next != bytes_at.end() && next->first == offset) {
    fits = fits && next->second == bytes;
    return;
  }
  const bool overlaps_next = next != bytes_at.end() && next->first < offset + bytes;
  const bool overlaps_previous =
      next != bytes_at.begin() && std::prev(next)->first + std::prev(next)->second > offset;
  fits = fits && !overlaps_next && !overlaps_previous;
  bytes_at.emplace(offset, bytes);
}

void ParamAccesses::Pieces::merge(const Pieces& other) {
  fits = fits && other.fits;
  for (const auto& [offset, bytes] : other.bytes_at) {
    add(offset, bytes);
  }
}

bool ParamAccesses::fits_registers(const ast::Function& owner, const ast::Variable& variable) {
  return pieces(owner, variable).fits;
}

const ParamAccesses::Pieces& ParamAccesses::pieces(const ast::Function& owner,
                                                   const ast::Variable& variable) {
  if (const auto found = known_.find(&variable); found != known_.end()) {
    return found->second;
  }
  Pieces found;
  if (!owner.has_body) {
    found.add(0, variable.bytes);
  }
  for (const ast::Instruction& instruction : owner.body) {
    visit(instruction, variable, found);
  }
  return known_[&variable] = std::move(found);
}

void ParamAccesses::visit(const ast::Instruction& instruction, const ast::Variable& variable, Pieces& found) {
  const Operation& operation = instruction.mnemonic.operation;
  const bool accesses = operation.opcode == Opcode::kLd || operation.opcode == Opcode::kSt;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const ast::Operand& operand = instruction.operands[i];
    if (!names(operand, variable)) {
      continue;
    }
    if (instruction.callee != nullptr) {
      if (i < instruction.callee->parameters.size() &&
          instruction.callee->parameters[i].variable != nullptr) {
        found.merge(pieces(*instruction.callee, *instruction.callee->parameters[i].variable));
      }
    } else if (accesses && operand.kind == ast::Operand::Kind::kAddress && operand.offset >= 0) {
      const std::uint64_t bytes = bytes_of(operation.type);
      for (unsigned element = 0; element < operation.vector; ++element) {
        found.add(static_cast<std::uint64_t>(operand.offset) + element * bytes, bytes);
      }
    } else {
      found.fits = false;
    }
  }
  for (std::size_t i = 0; i < instruction.results.size(); ++i) {
    if (names(instruction.results[i], variable) && i < instruction.callee->results.size() &&
        instruction.callee->results[i].variable != nullptr) {
      found.merge(pieces(*instruction.callee, *instruction.callee->results[i].variable));
    }
  }
}

const ast::Function* find_unreadable(const ast::Function& kernel) {
  std::vector<const ast::Function*> reached{&kernel};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i]->error) return reached[i];
    for (const ast::Instruction& instruction : reached[i]->body) {
      const ast::Function* const callee = instruction.callee;
      if (callee != nullptr && std::find(reached.begin(), reached.end(), callee) == reached.end())
        reached.push_back(callee);
    }
  }
  return nullptr;
}

std::string find_recursion(const ast::Function& kernel) {
  RecursionSearch search;
  return search.search(kernel) ? search.cycle() : "";
}

}  // namespace heddle::ptx
