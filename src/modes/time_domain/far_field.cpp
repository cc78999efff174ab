#include "modes/time_domain/far_field.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "basis/reference_element.hpp"
#include "model/check/case_check.hpp"
#include "model/far_field.hpp"
#include "results/history/spectrum.hpp"
#include "sources/waveform.hpp"

namespace tetrawave::modes {

namespace {

using Complex = std::complex<double>;
using results::FarFieldResult;

/// Numbers of a face in march::Engine::spectra.
std::size_t width_of(const march::Problem& problem) {
  return problem.spectral.frequencies_per_m.size() * 4 * basis::reference_element(problem.space).face_dofs;
}

double key_of(const TimeDomainSetup& setup, const march::SpectralFaces::Face& face) {
  return 4 * static_cast<double>(setup.mesh.global_id[static_cast<std::size_t>(face.element)]) + face.face;
}

std::vector<double> sample(const march::Wave& wave, std::int64_t steps) {
  std::vector<double> samples;
  for (std::int64_t n = 0; n <= steps; ++n) samples.push_back(wave(static_cast<double>(n)));
  return samples;
}

/// Reference of the far field: the waveform of the first source, or of the first driven port.
std::optional<NamedExcitation> reference_of(const TimeDomainSetup& setup, const std::vector<std::size_t>& driven) {
  std::optional<NamedExcitation> reference;
  if (!setup.given.sources.empty())
    reference = setup.given.sources.front().excite;
  else if (!driven.empty())
    reference = setup.given.ports[driven.front()].excite;
  if (reference) {
    reference->amplitude = 1;
    reference->delay_s = 0;
  }
  return reference;
}

std::vector<double> history_of(const TimeDomainSetup& setup, const NamedExcitation& excite) {
  const Excitation wave = make_excitation(setup.given.waveforms, excite);
  return sample([&](double steps) { return wave(steps * setup.dt_s); }, setup.sampled_steps);
}

void check_reference(const std::vector<double>& history, double dt_s, const std::vector<double>& frequencies,
                     const std::vector<Complex>& spectrum, const std::string& waveform) {
  const double peak = results::spectral_peak(history, dt_s);
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    if (std::abs(spectrum[f]) < 0.01 * peak)
      log::warning(
          "far field at {:.6g} Hz: the spectrum of waveform '{}' is more than 40 dB below its peak here; the result "
          "is unreliable",
          frequencies[f], waveform);
}

/// Divides by the waveform's spectrum: fields of a time-harmonic excitation with its amplitude.
void relate(FarFieldResult& result, const Complex& spectrum) {
  if (spectrum == 0.0) return;
  for (auto* component : {&result.field.e_theta, &result.field.e_phi})
    for (Complex& e : *component) e /= spectrum;
  result.field.radiated_power /= std::norm(spectrum);
  result.field.surface_power /= std::norm(spectrum);
  result.waveform_spectrum = spectrum;
}

const SourceDescription* only_plane_wave(const std::vector<SourceDescription>& sources) {
  const SourceDescription* found = nullptr;
  for (const SourceDescription& source : sources) {
    if (source.type != SourceType::plane_wave || found != nullptr) return nullptr;
    found = &source;
  }
  return found;
}

void relate_all(const TimeDomainSetup& setup, const std::vector<std::size_t>& driven,
                std::vector<FarFieldResult>& results) {
  const auto reference = reference_of(setup, driven);
  if (!reference) return;
  const auto& frequencies = setup.given.outputs.far_field->frequencies_hz;
  const auto history = history_of(setup, *reference);
  const auto spectrum = results::fourier_sums({&history}, setup.dt_s, frequencies).front();
  check_reference(history, setup.dt_s, frequencies, spectrum, reference->waveform);
  const SourceDescription* wave = only_plane_wave(setup.given.sources);
  for (std::size_t f = 0; f < results.size(); ++f) {
    relate(results[f], spectrum[f]);
    if (wave != nullptr) results[f].incident_v_per_m = std::abs(wave->excite.amplitude);
  }
  const auto& sources = setup.given.sources;
  const auto is_wave = [](const SourceDescription& source) { return source.type == SourceType::plane_wave; };
  if (std::none_of(sources.begin(), sources.end(), is_wave))
    warn_of_powers(results, frequencies,
                   excites_rough_waves(setup) ? PowerErrors::of_rough_waves : PowerErrors::of_march);
}

/// Up to where waveforms that drive the case have a spectrum [Hz]; none if it never ends.
std::optional<double> driving_edge_hz(const TimeDomainSetup& setup) {
  std::set<std::string> driving;
  for (std::size_t p = 0; p < setup.given.port_tag_count(); ++p)  // copies have the waveform of theirs
    if (setup.given.ports[p].excite) driving.insert(setup.given.ports[p].excite->waveform);
  for (const SourceDescription& source : setup.given.sources) driving.insert(source.excite.waveform);
  double edge_hz = 0;
  for (const WaveformShape& waveform : setup.given.waveforms) {
    if (driving.count(waveform.name) == 0) continue;
    const Waveform shape(waveform);
    std::vector<double> samples;
    for (std::int64_t n = 0; n <= 2 * setup.sampled_steps; ++n)
      samples.push_back(shape(0.5 * static_cast<double>(n) * setup.dt_s));
    constexpr double silent = 1e-7;
    const auto edge = results::band_edge(std::move(samples), setup.dt_s / 2, silent);
    if (!edge) return {};
    edge_hz = std::max(edge_hz, *edge);
  }
  return edge_hz;
}

}  // namespace

std::int64_t choose_jumps_every(const TimeDomainSetup& setup) {
  constexpr std::int64_t least = 2, most = 16;
  if (!setup.problem.sums_jumps) return 0;
  const std::optional<double> edge_hz = setup.given.initial_fields ? std::nullopt : driving_edge_hz(setup);
  if (!edge_hz) return least;
  std::int64_t every = most;  // powers have twice the frequency
  while (every > least && static_cast<double>(2 * every) * *edge_hz * setup.dt_s > 1) every /= 2;
  return every;
}

std::int64_t choose_spectra_every(const TimeDomainSetup& setup) {
  const auto& problem = setup.problem;
  double highest_hz = 0;
  for (const double per_m : problem.spectral.frequencies_per_m) highest_hz = std::max(highest_hz, per_m * c0_m_per_s);
  for (const double hz : problem.fields.frequencies_hz) highest_hz = std::max(highest_hz, hz);
  const bool makes_harmonics =
      std::any_of(problem.media.begin(), problem.media.end(), [](const Medium& medium) { return medium.chi3 != 0; });
  if (highest_hz == 0 || setup.given.initial_fields || makes_harmonics) return 1;
  const auto edge_hz = driving_edge_hz(setup);
  if (!edge_hz) return 1;
  return results::sampling_stride(*edge_hz, highest_hz, setup.dt_s);
}

std::vector<double> gather_spectra(const TimeDomainSetup& setup, const comm::Communicator& ranks) {
  const auto& faces = setup.problem.spectral.faces;
  const std::size_t width = width_of(setup.problem);
  const std::vector<double> sums = setup.engine->spectra();
  std::vector<double> mine;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    mine.push_back(key_of(setup, faces[i]));
    mine.insert(mine.end(), sums.begin() + static_cast<std::ptrdiff_t>(i * width),
                sums.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  }
  return ranks.gather(std::span<const double>(mine));
}

void restore_spectra(const TimeDomainSetup& setup, const std::vector<double>& rows) {
  const std::size_t width = width_of(setup.problem);
  std::map<double, std::size_t> row_of;
  for (std::size_t at = 0; at < rows.size(); at += width + 1) row_of[rows[at]] = at + 1;
  std::vector<double> mine;
  for (const auto& face : setup.problem.spectral.faces) {
    const auto row = row_of.find(key_of(setup, face));
    ensure(row != row_of.end(), "a checkpoint has the Fourier sums of every face");
    mine.insert(mine.end(), rows.begin() + static_cast<std::ptrdiff_t>(row->second),
                rows.begin() + static_cast<std::ptrdiff_t>(row->second + width));
  }
  setup.engine->set_spectra(mine);
}

std::vector<FarFieldResult> find_far_field(const TimeDomainSetup& setup, const std::vector<std::size_t>& driven,
                                           const comm::Communicator& ranks) {
  const FarFieldRequest& spec = *setup.given.outputs.far_field;
  const results::SurfaceSums sums = results::pair_sides(setup.problem, *setup.surface, setup.engine->spectra(), ranks);
  std::vector<FarFieldResult> results;
  for (std::size_t f = 0; f < spec.frequencies_hz.size(); ++f) {
    const auto currents = results::surface_currents(setup.problem, *setup.surface, sums, f,
                                                    setup.dt_s * static_cast<double>(setup.engine->spectra_every()));
    const double k = 2 * pi * spec.frequencies_hz[f] / c0_m_per_s * setup.surface->refractive_index;
    FarFieldResult result;
    result.field =
        results::far_field(currents, k, setup.surface->impedance, spec.mirrors, {spec.theta_deg, spec.phi_deg},
                           direction_summation(setup.engine->threads()), ranks);
    if (ranks.rank() == 0) results.push_back(std::move(result));
  }
  ranks.agree([&] {
    if (ranks.rank() == 0) relate_all(setup, driven, results);
  });
  return results;
}

}  // namespace tetrawave::modes
