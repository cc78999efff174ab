#include "base/text/suggest.hpp"

#include <algorithm>

namespace tetrawave {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance (insert, delete, replace, swap of neighbours), three rows of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + replace});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string suggest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 200;  // the table is quadratic, and longer names are no typing errors
  if (name.size() > longest) return "";
  std::size_t nearest = std::clamp<std::size_t>(name.size() / 3, 1, 3) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > name.size() + 3 || name.size() > candidate.size() + 3) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < nearest && distance < candidate.size()) {
      nearest = distance;
      best = candidate;
    }
  }
  if (!best.empty() || name.size() < 3) return best;
  const auto starts = [&](const std::string& candidate) { return candidate.compare(0, name.size(), name) == 0; };
  const auto found = std::find_if(candidates.begin(), candidates.end(), starts);
  return found == candidates.end() ? "" : *found;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string best = suggest(name, candidates);
  return best.empty() ? "" : " (did you mean '" + best + "'?)";
}

std::string list_names(const std::vector<std::string>& names, std::size_t most) {
  if (names.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

}  // namespace tetrawave
