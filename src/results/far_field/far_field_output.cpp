#include "results/far_field/far_field_output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/log.hpp"
#include "base/text/format.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::results {

namespace {

using Complex = std::complex<double>;

double decibels(double x) { return 10 * std::log10(std::max(x, 1e-30)); }

/// Major over minor axis of the polarisation ellipse of E: sqrt((p + q)/(p - q)), p = |E|^2, q = |E_theta^2 + E_phi^2|.
double axial_ratio_db(const Complex& theta, const Complex& phi) {
  const double p = std::norm(theta) + std::norm(phi);
  const double q = std::abs(theta * theta + phi * phi);
  return decibels((p + q) / std::max(p - q, 1e-10 * (p + q)));
}

/// Power per solid angle, |r E|^2/(2 eta).
double intensity(const FarField& field, std::size_t d, double impedance) {
  return (std::norm(field.e_theta[d]) + std::norm(field.e_phi[d])) / (2 * eta0_ohm * impedance);
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  store::write_text_atomically(path, text);
}

std::string csv_text(const FarFieldRequest& spec, const FarFieldResult& result, const Patterns& patterns) {
  std::string text = "theta_deg,phi_deg,E_theta_re_V,E_theta_im_V,E_phi_re_V,E_phi_im_V,directivity_dBi,axial_ratio_dB";
  if (!patterns.gain_dbi.empty()) text += ",gain_dBi,realised_gain_dBi";
  if (!patterns.sigma_m2.empty()) text += ",sigma_m2";
  text += "\n";
  std::size_t d = 0;
  for (const double theta : spec.theta_deg)
    for (const double phi : spec.phi_deg) {
      const Complex& t = result.field.e_theta[d];
      const Complex& p = result.field.e_phi[d];
      text += tetrawave::format("{},{},{:.9e},{:.9e},{:.9e},{:.9e},{:.6f},{:.6f}", theta, phi, t.real(), t.imag(),
                                p.real(), p.imag(), patterns.directivity_dbi[d], patterns.axial_ratio_db[d]);
      if (!patterns.gain_dbi.empty())
        text += tetrawave::format(",{:.6f},{:.6f}", patterns.gain_dbi[d], patterns.realised_gain_dbi[d]);
      if (!patterns.sigma_m2.empty()) text += tetrawave::format(",{:.9e}", patterns.sigma_m2[d]);
      text += "\n";
      ++d;
    }
  return text;
}

void write_pattern(const store::File& file, const std::string& group, const FarFieldRequest& spec,
                   const FarFieldResult& result, const Patterns& patterns, const PortPowers& powers, double hz) {
  const store::Extents extents{static_cast<std::int64_t>(spec.theta_deg.size()),
                               static_cast<std::int64_t>(spec.phi_deg.size())};
  const std::string volts = result.waveform_spectrum == 1.0 && !result.is_steady ? "V s" : "V";
  file.create_group(group);
  file.write(group + "/theta", spec.theta_deg, "degree");
  file.write(group + "/phi", spec.phi_deg, "degree");
  file.write(group + "/E_theta", std::span<const Complex>(result.field.e_theta), volts, extents);
  file.write(group + "/E_phi", std::span<const Complex>(result.field.e_phi), volts, extents);
  file.write(group + "/directivity", patterns.directivity_dbi, "dBi", extents);
  file.write(group + "/axial_ratio", patterns.axial_ratio_db, "dB", extents);
  if (powers.known) {
    file.write(group + "/gain", patterns.gain_dbi, "dBi", extents);
    file.write(group + "/realised_gain", patterns.realised_gain_dbi, "dBi", extents);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  file.set_attribute(group, "frequency", hz);
  file.set_attribute(group, "radiated_power", result.field.radiated_power);
  file.set_attribute(group, "surface_power", result.field.surface_power);
  file.set_attribute(group, "accepted_power", powers.known ? powers.accepted : nan);
  file.set_attribute(group, "incident_power", powers.known ? powers.incident : nan);
  file.set_attribute(group, "efficiency", powers.known ? result.field.radiated_power / powers.accepted : nan);
  if (powers.known && powers.lost) {
    file.set_attribute(group, "lost_power", *powers.lost);
    file.set_attribute(group, "power_balance", (result.field.radiated_power + *powers.lost) / powers.accepted);
  }
  const std::array<double, 2> spectrum{result.waveform_spectrum.real(), result.waveform_spectrum.imag()};
  file.set_attribute(group, "waveform_spectrum", std::span<const double>(spectrum));
}

/// Whether a port has the power of a part of it: 2, 4 or 8 times as much or as little as passes through the surface.
bool is_part_of_a_port(double ratio, std::size_t planes) {
  const double halves = std::log2(ratio), nearest = std::round(halves);
  return nearest != 0 && std::abs(nearest) <= static_cast<double>(planes) && std::abs(halves - nearest) < 0.15;
}

std::string cause_of(const FarField& field, double accepted, const PowerBalance& balance, std::size_t planes) {
  if (is_part_of_a_port(field.surface_power / accepted, planes))
    return "planes of symmetry cut a port, or contain it, and its key symmetry does not list their walls";
  const bool by_pattern =
      std::abs(field.radiated_power - field.surface_power) > std::abs(field.surface_power - accepted);
  if (by_pattern)
    return "absorbing walls reflect (use boundaries.pml, or move them away), or the mesh is coarse "
           "at the surface";
  return balance.is_lossless ? balance.cause : std::string("the mesh is coarse at the ports or at edges of metal");
}

/// What ports accept is radiated or lost.
void warn_of_balance(double hz, const FarField& field, const PortPowers& powers, const PowerBalance& balance,
                     std::size_t planes) {
  const double sum = (field.radiated_power + *powers.lost) / powers.accepted;
  if (!(powers.accepted > 0) || std::abs(sum - 1) <= most_imbalance) return;
  log::warning(
      "far field at {:.6g} Hz: power is not balanced: radiated and lost are {:.1f} % of what the ports accept (limit "
      "{:g} % off), and gain is off by as much: the ports accept {:.4g} W, {:.4g} W pass through the surface, the "
      "pattern has {:.4g} W, {:.4g} W are lost in media and walls; likely cause: {}",
      hz, 100 * sum, 100 * most_imbalance, powers.accepted, field.surface_power, field.radiated_power, *powers.lost,
      cause_of(field, powers.accepted - *powers.lost, balance, planes));
}

/// An antenna cannot radiate more than its ports accept, nor less if it is lossless: finds which of the two is
/// violated.
void warn_of_efficiency(double hz, const FarField& field, double accepted, const PowerBalance& balance,
                        std::size_t planes) {
  const double efficiency = field.radiated_power / accepted;
  const bool is_low = balance.is_lossless && efficiency < least_efficiency;
  if (!(accepted > 0) || (efficiency <= most_efficiency && !is_low)) return;
  log::warning(
      "far field at {:.6g} Hz: {:.1f} % of the accepted power is radiated (limit{} {:g} %), and gain is {} by as "
      "much: the ports accept {:.4g} W, {:.4g} W pass through the surface, the pattern has {:.4g} W; likely cause: {}",
      hz, 100 * efficiency, is_low ? " of a lossless antenna" : "", 100 * (is_low ? least_efficiency : most_efficiency),
      is_low ? "too low" : "too high", accepted, field.surface_power, field.radiated_power,
      cause_of(field, accepted, balance, planes));
}

}  // namespace

Patterns make_patterns(const FarFieldResult& result, double impedance, const PortPowers& powers) {
  Patterns patterns;
  const FarField& field = result.field;
  for (std::size_t d = 0; d < field.e_theta.size(); ++d) {
    const double u = 4 * pi * intensity(field, d, impedance);
    patterns.directivity_dbi.push_back(decibels(u / field.radiated_power));
    patterns.axial_ratio_db.push_back(axial_ratio_db(field.e_theta[d], field.e_phi[d]));
    if (powers.known) {
      patterns.gain_dbi.push_back(decibels(u / powers.accepted));
      patterns.realised_gain_dbi.push_back(decibels(u / powers.incident));
    }
    if (result.incident_v_per_m > 0)
      patterns.sigma_m2.push_back(4 * pi * (std::norm(field.e_theta[d]) + std::norm(field.e_phi[d])) /
                                  (result.incident_v_per_m * result.incident_v_per_m));
  }
  return patterns;
}

std::string ffe_text(const FarFieldRequest& spec, double hz, const FarFieldResult& result, const Patterns& patterns,
                     const std::string& name) {
  const bool gain = !patterns.gain_dbi.empty();
  const std::string kind = gain ? "Gain" : "Directivity";
  const auto& total = gain ? patterns.gain_dbi : patterns.directivity_dbi;
  std::string text = tetrawave::format(
      "##File Type: Far field\n##File Format: 3\n##Source: tetrawave\n\n#Configuration Name: {}\n#Request Name: "
      "FarField\n#Frequency: {:.9e}\n#Coordinate System: Spherical\n#No. of Theta Samples: {}\n#No. of Phi Samples: "
      "{}\n#Result Type: {}\n#No. of Header Lines: 1\n",
      name, hz, spec.theta_deg.size(), spec.phi_deg.size(), kind);
  text += "#";
  for (const std::string& column :
       {std::string("Theta"), std::string("Phi"), std::string("Re(Etheta)"), std::string("Im(Etheta)"),
        std::string("Re(Ephi)"), std::string("Im(Ephi)"), kind + "(Theta)", kind + "(Phi)", kind + "(Total)"})
    text += tetrawave::format(" {:>18}", "\"" + column + "\"");
  text += "\n";
  for (std::size_t p = 0; p < spec.phi_deg.size(); ++p)
    for (std::size_t t = 0; t < spec.theta_deg.size(); ++t) {
      const std::size_t d = t * spec.phi_deg.size() + p;
      const Complex& theta = result.field.e_theta[d];
      const Complex& phi = result.field.e_phi[d];
      const double all = std::max(std::norm(theta) + std::norm(phi), std::numeric_limits<double>::min());
      text += " ";
      for (const double x :
           {spec.theta_deg[t], spec.phi_deg[p], theta.real(), theta.imag(), phi.real(), phi.imag(),
            total[d] + decibels(std::norm(theta) / all), total[d] + decibels(std::norm(phi) / all), total[d]})
        text += tetrawave::format(" {:>18.8e}", x);
      text += "\n";
    }
  return text;
}

void write_rcs(const store::File& file, const std::string& prefix, double hz, const FarFieldRequest& spec,
               const std::vector<Patterns>& waves) {
  const std::string group = prefix + "/rcs/" + std::to_string(std::llround(hz));
  std::vector<double> theta, phi, sigma;
  for (const double t : spec.theta_deg)
    for (const double p : spec.phi_deg) {
      for (const Patterns& wave : waves) sigma.push_back(wave.sigma_m2[theta.size()]);
      theta.push_back(t);
      phi.push_back(p);
    }
  file.create_group(group);
  file.write(group + "/theta", theta, "degree");
  file.write(group + "/phi", phi, "degree");
  file.write(group + "/sigma", sigma, "m^2",
             {static_cast<std::int64_t>(theta.size()), static_cast<std::int64_t>(waves.size())});
}

void write_monostatic(const store::File& file, double hz, const std::vector<Monostatic>& waves) {
  std::vector<double> theta, phi, sigma, co;
  std::vector<std::int64_t> polarization;
  for (const Monostatic& wave : waves) {
    theta.push_back(wave.theta_deg);
    phi.push_back(wave.phi_deg);
    polarization.push_back(wave.is_theta ? 0 : 1);
    sigma.push_back(wave.sigma_m2);
    co.push_back(wave.sigma_co_m2);
  }
  const std::string group = "/monostatic/" + std::to_string(std::llround(hz));
  file.create_group(group);
  file.write(group + "/theta", theta, "degree");
  file.write(group + "/phi", phi, "degree");
  file.write(group + "/polarization", polarization, "1");
  file.write(group + "/sigma", sigma, "m^2");
  file.write(group + "/sigma_co", co, "m^2");
}

void write_far_field(const store::File& file, const std::string& prefix, const std::filesystem::path& directory,
                     const std::string& name, const FarFieldRequest& spec, double impedance,
                     const std::vector<FarFieldResult>& results, const std::vector<PortPowers>& powers,
                     const PowerBalance& balance) {
  const auto planes = static_cast<std::size_t>(std::count_if(
      spec.mirrors.begin(), spec.mirrors.end(), [](const MirrorPlane& mirror) { return !mirror.is_ground; }));
  for (std::size_t f = 0; f < spec.frequencies_hz.size(); ++f) {
    const double hz = spec.frequencies_hz[f];
    const std::string hertz = std::to_string(std::llround(hz));
    const Patterns patterns = make_patterns(results[f], impedance, powers[f]);
    if (powers[f].known && powers[f].lost)
      warn_of_balance(hz, results[f].field, powers[f], balance, planes);
    else if (powers[f].known)
      warn_of_efficiency(hz, results[f].field, powers[f].accepted, balance, planes);
    write_pattern(file, prefix + "/far_field/" + hertz, spec, results[f], patterns, powers[f], hz);
    if (!patterns.sigma_m2.empty()) write_rcs(file, prefix, hz, spec, {patterns});
    const std::string stem = "far_field_" + (name.empty() ? "" : name + "_") + hertz;
    write_text(directory / (stem + ".csv"), csv_text(spec, results[f], patterns));
    write_text(directory / (stem + ".ffe"), ffe_text(spec, hz, results[f], patterns, name.empty() ? "march" : name));
  }
}

}  // namespace tetrawave::results
