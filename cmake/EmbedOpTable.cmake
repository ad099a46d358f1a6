# Writes OUT: the files of the op table as raw string literals. Run with -DOUT=... -DDIR=... -DFILES=a,b,c
set(text "// Generated from ir/ops/table. Do not edit.\n#include \"ir/ops/op_table_data.h\"\n\nnamespace descry::ir {\nnamespace {\n")
set(rows "")
set(n 0)
string(REPLACE "," ";" FILES "${FILES}")
foreach(name IN LISTS FILES)
  file(READ "${DIR}/${name}" body HEX)
  # Hex text keeps brackets and semicolons of the table away from CMake's lists. Parts stay below the length that
  # every compiler takes for one literal.
  string(LENGTH "${body}" length)
  string(APPEND text "const unsigned char kText${n}[] = {\n")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," body "${body}")
  string(APPEND text "${body}0x0a};\n")
  string(APPEND rows "      {\"${name}\", {reinterpret_cast<const char*>(kText${n}), sizeof kText${n}}},\n")
  math(EXPR n "${n} + 1")
endforeach()
string(APPEND text "}  // namespace\n\nconst std::vector<OpTableFile>& opTableFiles() {\n  static const std::vector<OpTableFile> kFiles = {\n${rows}  };\n  return kFiles;\n}\n\n}  // namespace descry::ir\n")
file(WRITE "${OUT}" "${text}")
