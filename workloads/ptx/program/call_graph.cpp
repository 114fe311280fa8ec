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

/// Walks all calls depth first, on a stack of its own: chains of calls may be long.
class CallWalk {
 public:
  Calls run(const ast::Function& kernel) {
    enter(kernel);
    while (!path_.empty()) {
      Visit& top = path_.back();
      if (top.next == top.function->body.size()) {
        leave();
        continue;
      }
      const ast::Function* const callee = top.function->body[top.next++].callee;
      if (callee == nullptr) continue;
      const auto known = depth_.find(callee);
      if (known == depth_.end()) {
        enter(*callee);
      } else if (known->second == kOnPath) {
        return {cycle(*callee), 0};
      } else {
        top.depth = std::max(top.depth, known->second);
      }
    }
    return {"", depth_.at(&kernel)};
  }

 private:
  struct Visit {
    const ast::Function* function;
    std::size_t next;     ///< instruction
    std::uint64_t depth;  ///< of the calls seen
  };
  static constexpr std::uint64_t kOnPath = ~std::uint64_t{0};

  void enter(const ast::Function& function) {
    depth_.emplace(&function, kOnPath);
    path_.push_back({&function, 0, 0});
  }

  void leave() {
    const Visit done = path_.back();
    path_.pop_back();
    depth_[done.function] = done.depth + 1;
    if (!path_.empty()) path_.back().depth = std::max(path_.back().depth, done.depth + 1);
  }

  std::string cycle(const ast::Function& back) const {
    const auto first =
        std::find_if(path_.begin(), path_.end(), [&](const Visit& visit) { return visit.function == &back; });
    std::string text;
    for (auto at = first; at != path_.end(); ++at) text += at->function->name + " -> ";
    return text + back.name;
  }

  std::vector<Visit> path_;
  std::unordered_map<const ast::Function*, std::uint64_t> depth_;
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
  std::unordered_set<const ast::Function*> known{&kernel};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i]->error) return reached[i];
    for (const ast::Instruction& instruction : reached[i]->body) {
      if (instruction.callee != nullptr && known.insert(instruction.callee).second)
        reached.push_back(instruction.callee);
    }
  }
  return nullptr;
}

Calls look_at_calls(const ast::Function& kernel) { return CallWalk().run(kernel); }

}  // namespace heddle::ptx
