#include "workloads/ptx/text/parse_instructions.h"

#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/isa/specials.h"
#include "workloads/ptx/text/literal.h"

namespace heddle::ptx {

using Kind = ast::Operand::Kind;

void InstructionParser::parse() {
  TokenStream& tokens = context_.tokens;
  tokens.check_most(++context_.instructions, limits::kFileInstructions, "instructions in the file");
  ast::Instruction instruction;
  instruction.text = tokens.statement_text();
  tokens.set_instruction(instruction.text);
  if (tokens.accept('@')) {
    parse_guard(instruction);
  }
  const Token name = tokens.expect(Token::Kind::kIdentifier, "an instruction");
  instruction.position = name.position;
  instruction.mnemonic = parse_mnemonic(name);
  if (instruction.mnemonic.kind == Mnemonic::Kind::kCall) {
    parse_call(instruction);
  } else if (!tokens.peek().is(';')) {
    parse_operands(instruction);
  }
  tokens.expect(';', "after the last operand");
  tokens.set_instruction("");
  function_.body.push_back(std::move(instruction));
}

void InstructionParser::parse_guard(ast::Instruction& instruction) {
  TokenStream& tokens = context_.tokens;
  instruction.guard_inverted = tokens.accept('!');
  const Token name = tokens.expect(Token::Kind::kIdentifier, "a predicate register after '@'");
  const auto found = context_.scopes.find_register(name.text);
  if (!found) {
    fail_unknown(name);
  }
  if (function_.registers[*found] != Type::kPred) {
    tokens.fail(name.position, "found the guard '" + std::string(name.text) + "', expected a .pred register");
  }
  instruction.guard = *found;
}

Mnemonic InstructionParser::parse_mnemonic(const Token& name) {
  std::vector<std::string_view> parts = {name.text};
  while (context_.tokens.peek().kind == Token::Kind::kDotted) {
    parts.push_back(context_.tokens.take().text);
  }
  try {
    return decode_mnemonic(parts);
  } catch (const MnemonicError& error) {
    context_.tokens.fail(name.position, error.what());
  }
}

void InstructionParser::parse_operands(ast::Instruction& instruction) {
  do {
    const bool label = instruction.mnemonic.signature == "l";
    instruction.operands.push_back(label ? parse_label(function_.body.size(), instruction.operands.size())
                                         : parse_operand());
    context_.tokens.check_most(instruction.operands.size(), limits::kOperands, "operands");
  } while (context_.tokens.accept(','));
}

ast::Operand InstructionParser::parse_label(std::size_t instruction, std::size_t operand) {
  const Token name = context_.tokens.expect(Token::Kind::kIdentifier, "a label");
  label_uses_.push_back({instruction, operand, context_.scopes.current()});
  ast::Operand label;
  label.kind = Kind::kLabel;
  label.text = name.text;
  label.position = name.position;
  return label;
}

void InstructionParser::resolve_labels() {
  for (const LabelUse& use : label_uses_) {
    ast::Instruction& instruction = function_.body[use.instruction];
    ast::Operand& label = instruction.operands[use.operand];
    const auto target = context_.scopes.find_label(label.text, use.scope);
    if (!target) {
      context_.tokens.set_instruction(instruction.text);
      context_.tokens.fail(label.position, "found the unknown label '" + std::string(label.text) + "'" +
                                               context_.suggest_name(label.text));
    }
    label.target = *target;
  }
}

std::vector<ast::Operand> InstructionParser::parse_call_list() {
  TokenStream& tokens = context_.tokens;
  std::vector<ast::Operand> list;
  tokens.expect('(', "to open the list of a call");
  while (!tokens.accept(')')) {
    list.push_back(parse_operand());
    tokens.check_most(list.size(), limits::kParameters, "arguments of a call");
    if (!tokens.accept(',') && !tokens.peek().is(')')) {
      tokens.fail_expected("',' or ')' in the list of a call");
    }
  }
  return list;
}

void InstructionParser::parse_call(ast::Instruction& instruction) {
  TokenStream& tokens = context_.tokens;
  if (tokens.peek().is('(')) {
    instruction.results = parse_call_list();
    tokens.expect(',', "after the results of a call");
  }
  const Token name = tokens.expect(Token::Kind::kIdentifier, "the name of a function");
  if (context_.scopes.find_register(name.text)) {
    tokens.fail(name.position, "found an indirect call through '" + std::string(name.text) +
                                   "', but only calls by name are supported");
  }
  const auto found = context_.functions.find(name.text);
  if (found == context_.functions.end()) {
    tokens.fail(name.position, "found a call of the unknown function '" + std::string(name.text) + "'" +
                                   context_.suggest_function(name.text));
  }
  instruction.callee = found->second;
  if (tokens.accept(',')) {
    instruction.operands = parse_call_list();
  }
}

ast::Operand InstructionParser::parse_operand() {
  TokenStream& tokens = context_.tokens;
  const Nesting nesting(tokens);
  const Token first = tokens.peek();
  ast::Operand operand;
  if (first.is('!')) {
    tokens.take();
    operand = parse_name();
    operand.negated = true;
  } else if (first.is('[')) {
    operand = parse_address();
  } else if (first.is('{')) {
    operand = parse_vector();
  } else if (at_constant(tokens)) {
    operand = parse_constant_operand();
  } else {
    operand = parse_name();
  }
  if (tokens.accept('|')) {
    ast::Operand pair;
    pair.kind = Kind::kPair;
    pair.elements = {std::move(operand), parse_name()};
    operand = std::move(pair);
  }
  operand.text = first.text;
  operand.position = first.position;
  return operand;
}

ast::Operand InstructionParser::parse_constant_operand() {
  const Constant constant = parse_constant(context_.tokens);
  ast::Operand operand;
  operand.kind = constant.kind == Token::Kind::kInteger   ? Kind::kInteger
                 : constant.kind == Token::Kind::kFloat32 ? Kind::kFloat32
                                                          : Kind::kFloat64;
  operand.value = constant.value;
  return operand;
}

ast::Operand InstructionParser::parse_name() {
  TokenStream& tokens = context_.tokens;
  const Token name = tokens.expect(Token::Kind::kIdentifier, "an operand");
  ast::Operand operand;
  operand.text = name.text;
  operand.position = name.position;
  if (name.text == "_") {
    return operand;
  }
  if (const auto found = context_.scopes.find_register(name.text)) {
    operand.kind = Kind::kRegister;
    operand.reg = *found;
    return operand;
  }
  if (const ast::Variable* const variable = context_.scopes.find_variable(name.text)) {
    operand.kind = Kind::kSymbol;
    operand.symbol = variable;
    if (tokens.peek().is('+') || tokens.peek().is('-')) {
      operand.offset = parse_integer(tokens);
    }
    return operand;
  }
  if (context_.functions.count(name.text) != 0) {
    operand.kind = Kind::kFunction;
    return operand;
  }
  if (name.text.front() == '%') {
    std::string special(name.text.substr(1));
    if (tokens.peek().kind == Token::Kind::kDotted) {
      special += "." + std::string(tokens.peek().text);
    }
    if (const auto found = special_named(special)) {
      if (tokens.peek().kind == Token::Kind::kDotted) {
        tokens.take();
      }
      operand.kind = Kind::kSpecial;
      operand.special = *found;
      return operand;
    }
  }
  fail_unknown(name);
}

ast::Operand InstructionParser::parse_address() {
  TokenStream& tokens = context_.tokens;
  tokens.expect('[', "to open an address");
  ast::Operand address;
  const bool absolute = at_constant(tokens);
  if (!absolute) {
    address = parse_name();
    if (address.kind != Kind::kRegister && address.kind != Kind::kSymbol) {
      tokens.fail(address.position, "found the address '" + std::string(address.text) +
                                        "', expected a register, a variable or a constant");
    }
  }
  // A variable's offset was parsed with its name.
  const bool signs = address.kind == Kind::kRegister && (tokens.peek().is('+') || tokens.peek().is('-'));
  if (absolute || signs) address.offset = parse_integer(tokens);
  while (tokens.accept(',')) {
    address.elements.push_back(parse_operand());
    tokens.check_most(address.elements.size(), limits::kOperands, "operands in []");
  }
  tokens.expect(']', "to close an address");
  address.kind = Kind::kAddress;
  return address;
}

ast::Operand InstructionParser::parse_vector() {
  TokenStream& tokens = context_.tokens;
  tokens.expect('{', "to open a vector");
  ast::Operand vector;
  vector.kind = Kind::kVector;
  do {
    vector.elements.push_back(parse_operand());
    tokens.check_most(vector.elements.size(), limits::kOperands, "elements of a vector");
  } while (tokens.accept(','));
  tokens.expect('}', "to close a vector");
  return vector;
}

void InstructionParser::fail_unknown(const Token& name) const {
  context_.tokens.fail(name.position,
                       "found the unknown name '" + std::string(name.text) +
                           "', expected a declared register or variable, or a special register" +
                           context_.suggest_name(name.text));
}

}  // namespace heddle::ptx
