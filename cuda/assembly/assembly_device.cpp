#include "cuda/assembly/assembly_device.hpp"

#include "cuda/assembly/assembly_backend.hpp"
#include "fem/assembly/device_assembly.hpp"

namespace tetrawave::cuda {

std::shared_ptr<const fem::AssemblyDevice> make_assembly_device(int device, int threads) {
  const auto make = [device, threads] { return AssemblyBackend(device, threads); };
  return std::make_shared<fem::device::AssemblyDeviceOf<decltype(make)>>(make, place_of(device).name);
}

}  // namespace tetrawave::cuda
