// Tensors in files: what other programs write is read, what is written is read again, and damage is named.
#include <gtest/gtest.h>

#include "runtime/core/tensor_files.h"

namespace descry::runtime {
namespace {

std::string bytesOf(std::string_view hex) {
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

/// A file as numpy.save writes it: magic, length, header padded to 128 bytes, data.
std::string npy(std::string header, std::string_view dataHex) {
  header.append(117 - header.size(), ' ');
  return bytesOf("934e554d505901007600") + header + "\n" + bytesOf(dataHex);
}

std::vector<double> numbers(const TensorRef& t) {
  const TensorRef dense = contiguousOf(t);
  std::vector<double> out;
  const View v = viewOf(*dense);
  for (int64_t i = 0; i < v.numel(); ++i)
    out.push_back(numberAt(v.dtype, v.data + i * itemBytes(v.dtype)).toReal());
  return out;
}

TEST(TensorFiles, ReadsWhatNumpyWrites) {
  const auto plain = readNpy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                                 "000000000000803f0000004000004040000080400000a040"));
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ((*plain)->meta.dtype, DType::F32);
  EXPECT_EQ(numbers(*plain), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  // Column by column, and the high byte first.
  const auto turned =
      readNpy(npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }", "000000030001000400020005"));
  ASSERT_TRUE(turned) << turned.error().message;
  EXPECT_EQ(numbers(*turned), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  const auto number =
      readNpy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "0000000000000440"));
  ASSERT_TRUE(number) << number.error().message;
  EXPECT_EQ(numbers(*number), std::vector<double>{2.5});
  EXPECT_TRUE((*number)->meta.sizes.empty());
}

TEST(TensorFiles, NpyIsReadAgain) {
  const auto first = readNpy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                                 "000000000000803f0000004000004040000080400000a040"));
  const std::string written = npyBytes(**first);
  EXPECT_EQ((written.size() - 24) % 64, 0u);
  const auto again = readNpy(written);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(numbers(*again), numbers(*first));
}

TEST(TensorFiles, NpyRefusesWhatIsWrong) {
  const char* kData = "000000000000803f";
  for (const std::string& bad :
       {std::string("PK"), std::string("\x93NUMPY\x01"),
        npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", kData),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", kData),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", kData),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 4), }", kData),
        npy("{'fortran_order': False, 'shape': (2,), }", kData)})
    EXPECT_FALSE(readNpy(bad)) << bad;
}

TEST(TensorFiles, SafetensorsThereAndBack) {
  TensorFile file;
  file.metadata["who"] = "a \"test\"";
  for (const DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I8, DType::U8,
                            DType::B8, DType::C64}) {
    const TensorRef t = allocate(Dims{2, 2}, dtype);
    for (int64_t i = 0; i < 4; ++i) storeNumber(dtype, viewOf(*t).data + i * itemBytes(dtype), Value(i % 2));
    file.tensors.emplace_back("t" + std::to_string(static_cast<int>(dtype)), t);
  }
  file.tensors.emplace_back("empty", allocate(Dims{0, 3}, DType::F32));
  const std::string bytes = safetensorsBytes(file);
  const auto again = readSafetensors(bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->metadata, file.metadata);
  ASSERT_EQ(again->tensors.size(), file.tensors.size());
  for (const auto& [name, t] : file.tensors) {
    const TensorRef other = again->find(name);
    ASSERT_TRUE(other) << name;
    EXPECT_EQ(other->meta.dtype, t->meta.dtype);
    EXPECT_EQ(numbers(other), numbers(t)) << name;
  }
}

TEST(TensorFiles, SafetensorsRefusesWhatIsWrong) {
  const auto file = [](std::string head, size_t data) {
    std::string out(8, '\0');
    const uint64_t n = head.size();
    std::memcpy(out.data(), &n, 8);
    return out + head + std::string(data, 'x');
  };
  for (const std::string& bad :
       {std::string("abc"), file("[1]", 4), file("{\"a\":1}", 4),
        file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", 4),
        file(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4),
        file(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4),
        file(R"({"a":{"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]}})", 4),
        file(R"({"a":{"dtype":"X9","shape":[1],"data_offsets":[0,4]}})", 4),
        file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4),
        std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}")})
    EXPECT_FALSE(readSafetensors(bad)) << bad;
}

}  // namespace
}  // namespace descry::runtime
