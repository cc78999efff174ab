// Absorbing layers of DFDD-ELD on a device (schemes/dfdd/pml.hpp).
#pragma once

#include "schemes/dfdd/pml.hpp"
#include "terms/pml/device/on_device.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class LayersOfRatesOnDevice final : public LayersOnDevice<Backend, S> {
 public:
  using Base = LayersOnDevice<Backend, S>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;
  using Base::Base;

  void begin(const RateStep<Backend, S>& at, const StepSize& dt) {
    this->set_step(at.field, dt);
    for (auto& list : this->lists_) run(list, at, true);
  }
  void act(const Action& action, const RateStep<Backend, S>& at) {
    if (action.act == Act::layer_jumps) return this->sample_jumps(action, at.rate, at.metric);
    this->for_part(action.part, [&](auto& list) { run(list, at, false); });
  }

 private:
  void run(typename Base::List& list, const RateStep<Backend, S>& at, bool begin) {
    kernels::LayersOfRates<S> kernel;
    kernel.list = list.view(at.field);
    kernel.sections = list.sections;
    kernel.curl_law = list.of(at.field).curl_law.data();
    kernel.curl_memory = list.of(at.field).curl_memory.data();
    kernel.metric = at.metric;
    kernel.curl_metric = at.curl_metric;
    kernel.inverse = at.inverse;
    kernel.value = at.value.data();
    kernel.rate = at.rate.data();
    kernel.begin = begin;
    kernel.jumps = list.braked ? list.jumps.data() : nullptr;
    this->backend_.for_blocks(this->problem_.space, kernel, 0, list.place.blocks);
  }
};

}  // namespace tetrawave::march
