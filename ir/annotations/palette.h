// Palette: the colours of phases, roles and themes, in one place for the inspector and the exporters.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/annotations/scene.h"

namespace descry::ir {

/// 0xRRGGBB.
using Rgb = uint32_t;

enum class Theme : uint8_t { Light, Dark, Contrast, Print };

/// Base hues after Okabe and Ito, "Color Universal Design": they stay apart under all three colour vision
/// deficiencies.
struct Palette {
  Rgb canvas;    ///< behind everything
  Rgb ink;       ///< text on the canvas
  Rgb mutedInk;  ///< second line of text on the canvas
  Rgb edge;      ///< lines of ordinary data
  Rgb groupFill;
  Rgb groupLine;
  Rgb forward, backward, either, plain;  ///< fills by phase; plain: no phase
  Rgb input;                             ///< fill of inputs, parameters, buffers and tangents
  Rgb output;                            ///< fill of outputs and gradients
  Rgb forwardLine, backwardLine, eitherLine, plainLine, inputLine,
      outputLine;                                 ///< outlines, 3:1 on the canvas
  Rgb saved;                                      ///< edges of values saved for backward
  Rgb savedFill, savedInputFill, recomputedFill;  ///< boxes of what a partition saves and recomputes
  Rgb savedLine, recomputedLine;                  ///< their outlines
  std::array<Rgb, 10> categories;                 ///< classes by name, told apart by the legend too
  Rgb warning, error, highlight;
  Rgb added, removed, changed, moved, split;  ///< outlines in diffs
};

/// By Theme.
inline constexpr std::array<Palette, 4> kPalettes = {{
    // Light.
    {.canvas = 0xFAFAFA,
     .ink = 0x1B1F24,
     .mutedInk = 0x57606A,
     .edge = 0x5A6470,
     .groupFill = 0xF0F2F5,
     .groupLine = 0x8A939E,
     .forward = 0x0072B2,
     .backward = 0xD55E00,
     .either = 0x999999,
     .plain = 0xDDE3EA,
     .input = 0x56B4E9,
     .output = 0x009E73,
     .forwardLine = 0x004D7A,
     .backwardLine = 0x9A4400,
     .eitherLine = 0x5F5F5F,
     .plainLine = 0x57606A,
     .inputLine = 0x22699B,
     .outputLine = 0x005F45,
     .saved = 0xA8527F,
     .savedFill = 0xAA3377,
     .savedInputFill = 0xE9B9D4,
     .recomputedFill = 0xF0E442,
     .savedLine = 0x7D2F58,
     .recomputedLine = 0x7A6A00,
     .categories = {0x0072B2, 0xC25400, 0x00795A, 0xA8527F, 0x8A6A00, 0x5B4BB0, 0x0F7F8C, 0x9C3D3D, 0x5E7A1E,
                    0x6F6F6F},
     .warning = 0xE69F00,
     .error = 0xC62828,
     .highlight = 0xF0E442,
     .added = 0x00795A,
     .removed = 0xC62828,
     .changed = 0xA86400,
     .moved = 0x2B7CB3,
     .split = 0xA8527F},
    // Dark.
    {.canvas = 0x16181D,
     .ink = 0xE6EAF0,
     .mutedInk = 0xA3ADBA,
     .edge = 0x98A2AF,
     .groupFill = 0x1E2128,
     .groupLine = 0x6B7480,
     .forward = 0x0072B2,
     .backward = 0xD55E00,
     .either = 0x999999,
     .plain = 0x3A4250,
     .input = 0x56B4E9,
     .output = 0x009E73,
     .forwardLine = 0x66BDEB,
     .backwardLine = 0xFFA15C,
     .eitherLine = 0xD0D0D0,
     .plainLine = 0x98A2AF,
     .inputLine = 0xA9DAF5,
     .outputLine = 0x4FD6AE,
     .saved = 0xCC79A7,
     .savedFill = 0xAA3377,
     .savedInputFill = 0xE9B9D4,
     .recomputedFill = 0xF0E442,
     .savedLine = 0xF2B8D6,
     .recomputedLine = 0xFFF6A0,
     .categories = {0x4DA6E0, 0xE8742A, 0x1DB98E, 0xCC79A7, 0xD9B44A, 0x9C8CF0, 0x45C4D1, 0xEE7F7F, 0xA5C24A,
                    0x9B9B9B},
     .warning = 0xE69F00,
     .error = 0xFF6B6B,
     .highlight = 0xF0E442,
     .added = 0x009E73,
     .removed = 0xFF6B6B,
     .changed = 0xE69F00,
     .moved = 0x56B4E9,
     .split = 0xCC79A7},
    // Contrast.
    {.canvas = 0x000000,
     .ink = 0xFFFFFF,
     .mutedInk = 0xE0E0E0,
     .edge = 0xFFFFFF,
     .groupFill = 0x101010,
     .groupLine = 0xC0C0C0,
     .forward = 0x3DA9F5,
     .backward = 0xFF8A2B,
     .either = 0xC4C4C4,
     .plain = 0x303030,
     .input = 0xEECCF6,
     .output = 0x11DA7D,
     .forwardLine = 0xFFFFFF,
     .backwardLine = 0xFFFFFF,
     .eitherLine = 0xFFFFFF,
     .plainLine = 0xFFFFFF,
     .inputLine = 0xFFFFFF,
     .outputLine = 0xFFFFFF,
     .saved = 0xFF9FD6,
     .savedFill = 0xB83A82,
     .savedInputFill = 0xE87CC0,
     .recomputedFill = 0xFFF34D,
     .savedLine = 0xFFFFFF,
     .recomputedLine = 0xFFFFFF,
     .categories = {0x4DA6E0, 0xE8742A, 0x1DB98E, 0xCC79A7, 0xD9B44A, 0x9C8CF0, 0x45C4D1, 0xEE7F7F, 0xA5C24A,
                    0x9B9B9B},
     .warning = 0xFFC233,
     .error = 0xFF7B7B,
     .highlight = 0xFFF34D,
     .added = 0x2FE0AE,
     .removed = 0xFF7B7B,
     .changed = 0xFFC233,
     .moved = 0x9BE0FF,
     .split = 0xFF9FD6},
    // Print: light fills that keep their order in greyscale.
    {.canvas = 0xFFFFFF,
     .ink = 0x000000,
     .mutedInk = 0x404040,
     .edge = 0x303030,
     .groupFill = 0xFFFFFF,
     .groupLine = 0x707070,
     .forward = 0x6AA9FB,
     .backward = 0xBF7859,
     .either = 0xBDBDBD,
     .plain = 0xFFFFFF,
     .input = 0xCFDAF0,
     .output = 0x8AF0AF,
     .forwardLine = 0x000000,
     .backwardLine = 0x000000,
     .eitherLine = 0x000000,
     .plainLine = 0x000000,
     .inputLine = 0x000000,
     .outputLine = 0x000000,
     .saved = 0x8E3F69,
     .savedFill = 0xE7B4D0,
     .savedInputFill = 0xF6E4EE,
     .recomputedFill = 0xFFF7A8,
     .savedLine = 0x000000,
     .recomputedLine = 0x000000,
     .categories = {0x0072B2, 0xC25400, 0x00795A, 0xA8527F, 0x8A6A00, 0x5B4BB0, 0x0F7F8C, 0x9C3D3D, 0x5E7A1E,
                    0x6F6F6F},
     .warning = 0xA86400,
     .error = 0xB00020,
     .highlight = 0xF0E442,
     .added = 0x00795A,
     .removed = 0xB00020,
     .changed = 0xA86400,
     .moved = 0x2B7CB3,
     .split = 0xA8527F},
}};

inline const Palette& palette(Theme theme) {
  return kPalettes[static_cast<size_t>(theme)];
}

/// "light", "dark", "contrast", "print".
inline std::string_view themeName(Theme theme) {
  constexpr std::string_view kNames[] = {"light", "dark", "contrast", "print"};
  return kNames[static_cast<size_t>(theme)];
}
inline std::optional<Theme> themeFromName(std::string_view name) {
  for (int i = 0; i < 4; ++i)
    if (themeName(static_cast<Theme>(i)) == name) return static_cast<Theme>(i);
  return std::nullopt;
}

inline bool isInputRole(NodeRole role) {
  return role == NodeRole::Input || role == NodeRole::Parameter || role == NodeRole::Buffer ||
         role == NodeRole::Tangent;
}
inline bool isOutputRole(NodeRole role) {
  return role == NodeRole::Output || role == NodeRole::GradOutput;
}

/// Fill of a node in the phase colour mode: inputs and outputs by role, everything else by phase.
constexpr Rgb phaseFill(const Palette& p, Phase phase) {
  switch (phase) {
    case Phase::Forward:
      return p.forward;
    case Phase::Backward:
      return p.backward;
    case Phase::Either:
      return p.either;
    case Phase::None:
      break;
  }
  return p.plain;
}
constexpr Rgb phaseLine(const Palette& p, Phase phase) {
  switch (phase) {
    case Phase::Forward:
      return p.forwardLine;
    case Phase::Backward:
      return p.backwardLine;
    case Phase::Either:
      return p.eitherLine;
    case Phase::None:
      break;
  }
  return p.plainLine;
}
inline Rgb nodeFill(const Palette& p, NodeRole role, Phase phase) {
  if (isInputRole(role)) return p.input;
  if (isOutputRole(role)) return p.output;
  return phaseFill(p, phase);
}
inline Rgb nodeLine(const Palette& p, NodeRole role, Phase phase) {
  if (isInputRole(role)) return p.inputLine;
  if (isOutputRole(role)) return p.outputLine;
  return phaseLine(p, phase);
}

/// Relative luminance, 0..1 (WCAG 2).
inline double luminance(Rgb c) {
  const auto channel = [](uint32_t v) {
    const double x = v / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel((c >> 16) & 255) + 0.7152 * channel((c >> 8) & 255) + 0.0722 * channel(c & 255);
}
/// Contrast ratio of two colours, 1..21 (WCAG 2).
inline double contrast(Rgb a, Rgb b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return x > y ? x / y : y / x;
}
/// Black or white text for a fill, whichever reads better; always 4.5:1 or more.
inline Rgb inkOn(Rgb fill) {
  return contrast(fill, 0xFFFFFF) >= contrast(fill, 0x000000) ? 0xFFFFFF : 0x000000;
}

/// `#0072b2`.
inline std::string hexColor(Rgb c) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "#000000";
  for (int i = 6; i >= 1; --i, c >>= 4) out[static_cast<size_t>(i)] = kDigits[c & 15];
  return out;
}

}  // namespace descry::ir
