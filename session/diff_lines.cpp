#include <algorithm>
#include <unordered_map>

#include "session/diff.h"

namespace descry::session {

namespace {

std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

class LineMatcher {
 public:
  LineMatcher(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b)
      : a_(a), b_(b) {}

  std::vector<LineDiff> run() {
    // An explicit list of ranges, done from the left: depth does not depend on the input.
    struct Range {
      uint32_t a0, a1, b0, b1;
    };
    std::vector<Range> todo{{0, static_cast<uint32_t>(a_.size()), 0, static_cast<uint32_t>(b_.size())}};
    while (!todo.empty()) {
      Range r = todo.back();
      todo.pop_back();
      while (r.a0 < r.a1 && r.b0 < r.b1 && a_[r.a0] == b_[r.b0]) same(r.a0++, r.b0++);
      uint32_t tail = 0;
      while (r.a0 < r.a1 - tail && r.b0 < r.b1 - tail && a_[r.a1 - tail - 1] == b_[r.b1 - tail - 1]) ++tail;
      if (tail) {
        todo.push_back({r.a1 - tail, r.a1, r.b1 - tail, r.b1});
        r.a1 -= tail;
        r.b1 -= tail;
      }
      if (r.a0 == r.a1 || r.b0 == r.b1) {
        replace(r.a0, r.a1, r.b0, r.b1);
        continue;
      }
      const std::vector<std::pair<uint32_t, uint32_t>> anchors = uniqueAnchors(r.a0, r.a1, r.b0, r.b1);
      if (anchors.empty()) {
        small(r.a0, r.a1, r.b0, r.b1);
        continue;
      }
      uint32_t aEnd = r.a1, bEnd = r.b1;
      for (size_t k = anchors.size(); k-- > 0;) {
        todo.push_back({anchors[k].first, aEnd, anchors[k].second, bEnd});
        aEnd = anchors[k].first;
        bEnd = anchors[k].second;
      }
      todo.push_back({r.a0, aEnd, r.b0, bEnd});
    }
    return std::move(out_);
  }

 private:
  void same(uint32_t i, uint32_t j) { out_.push_back({LineDiff::Kind::Same, i + 1, j + 1, b_[j]}); }
  void replace(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1) {
    for (uint32_t i = a0; i < a1; ++i) out_.push_back({LineDiff::Kind::Removed, i + 1, 0, a_[i]});
    for (uint32_t j = b0; j < b1; ++j) out_.push_back({LineDiff::Kind::Added, 0, j + 1, b_[j]});
  }

  /// Lines that occur once in each range, in an order that both sides share (patience diff).
  std::vector<std::pair<uint32_t, uint32_t>> uniqueAnchors(uint32_t a0, uint32_t a1, uint32_t b0,
                                                           uint32_t b1) const {
    struct Seen {
      uint32_t countA = 0, countB = 0, i = 0, j = 0;
    };
    std::unordered_map<std::string_view, Seen> seen;
    for (uint32_t i = a0; i < a1; ++i) {
      Seen& s = seen[a_[i]];
      ++s.countA;
      s.i = i;
    }
    for (uint32_t j = b0; j < b1; ++j) {
      Seen& s = seen[b_[j]];
      ++s.countB;
      s.j = j;
    }
    std::vector<std::pair<uint32_t, uint32_t>> both;
    for (uint32_t i = a0; i < a1; ++i) {
      const Seen& s = seen[a_[i]];
      if (s.countA == 1 && s.countB == 1) both.emplace_back(i, s.j);
    }
    // Longest run that rises on the other side too.
    std::vector<uint32_t> tails, previous(both.size(), 0xFFFFFFFF);
    for (uint32_t k = 0; k < both.size(); ++k) {
      const auto it = std::lower_bound(tails.begin(), tails.end(), k, [&](uint32_t t, uint32_t v) {
        return both[t].second < both[v].second;
      });
      if (it != tails.begin()) previous[k] = *(it - 1);
      if (it == tails.end())
        tails.push_back(k);
      else
        *it = k;
    }
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (uint32_t k = tails.empty() ? 0xFFFFFFFF : tails.back(); k != 0xFFFFFFFF; k = previous[k])
      out.push_back(both[k]);
    std::reverse(out.begin(), out.end());
    return out;
  }

  /// Longest common subsequence where the table stays small; else one block out, one block in.
  void small(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1) {
    const uint32_t n = a1 - a0, m = b1 - b0;
    if (static_cast<uint64_t>(n) * m > 40000) return replace(a0, a1, b0, b1);
    std::vector<uint16_t> length(static_cast<size_t>(n + 1) * (m + 1), 0);
    auto at = [&](uint32_t i, uint32_t j) -> uint16_t& {
      return length[static_cast<size_t>(i) * (m + 1) + j];
    };
    for (uint32_t i = n; i-- > 0;)
      for (uint32_t j = m; j-- > 0;)
        at(i, j) = a_[a0 + i] == b_[b0 + j] ? static_cast<uint16_t>(at(i + 1, j + 1) + 1)
                                            : std::max(at(i + 1, j), at(i, j + 1));
    uint32_t i = 0, j = 0;
    while (i < n && j < m) {
      if (a_[a0 + i] == b_[b0 + j]) {
        same(a0 + i++, b0 + j++);
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        replace(a0 + i, a0 + i + 1, 0, 0);
        ++i;
      } else {
        replace(0, 0, b0 + j, b0 + j + 1);
        ++j;
      }
    }
    replace(a0 + i, a1, b0 + j, b1);
  }

  const std::vector<std::string_view>& a_;
  const std::vector<std::string_view>& b_;
  std::vector<LineDiff> out_;
};

}  // namespace

std::vector<LineDiff> diffLines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = splitLines(before), b = splitLines(after);
  return LineMatcher(a, b).run();
}

std::string unifiedDiff(const std::vector<LineDiff>& lines, std::string_view beforeName,
                        std::string_view afterName, uint32_t context) {
  std::string out;
  size_t i = 0;
  uint32_t a = 0, b = 0;  // lines passed on both sides before lines[i]
  while (i < lines.size()) {
    size_t first = i;
    while (first < lines.size() && lines[first].kind == LineDiff::Kind::Same) ++first;
    if (first == lines.size()) break;
    const size_t begin = first - std::min<size_t>(context, first - i);
    a += static_cast<uint32_t>(begin - i);
    b += static_cast<uint32_t>(begin - i);
    // The hunk goes on while changes are no farther apart than two contexts.
    size_t end = first, quiet = 0;
    size_t last = first;
    while (end < lines.size() && quiet <= 2 * static_cast<size_t>(context)) {
      if (lines[end].kind == LineDiff::Kind::Same) {
        ++quiet;
      } else {
        quiet = 0;
        last = end;
      }
      ++end;
    }
    end = std::min(lines.size(), last + 1 + context);
    uint32_t na = 0, nb = 0;
    for (size_t k = begin; k < end; ++k) {
      na += lines[k].kind != LineDiff::Kind::Added;
      nb += lines[k].kind != LineDiff::Kind::Removed;
    }
    if (out.empty()) out = "--- " + std::string(beforeName) + "\n+++ " + std::string(afterName) + "\n";
    out += "@@ -" + std::to_string(na ? a + 1 : a) + "," + std::to_string(na) + " +" +
           std::to_string(nb ? b + 1 : b) + "," + std::to_string(nb) + " @@\n";
    for (size_t k = begin; k < end; ++k) {
      out += lines[k].kind == LineDiff::Kind::Same ? ' ' : lines[k].kind == LineDiff::Kind::Added ? '+' : '-';
      out += lines[k].text;
      out += '\n';
    }
    a += na;
    b += nb;
    i = end;
  }
  return out;
}

}  // namespace descry::session
