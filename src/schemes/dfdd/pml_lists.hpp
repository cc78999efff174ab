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

  /// A field, its rate and the arrays of its update.
  struct Rates {
    const Buffer<S>& value;
    Buffer<S>& rate;
    kernels::Metric<S> metric;
    kernels::Metric<S> curl_metric;
    const S* inverse;
  };
  /// The state for auxiliary variables of zero at the present values of a field.
  void begin_rates(Field field, const Rates& rates) {
    for (auto& list : this->lists_) run(list, field, rates, true);
  }
  /// Before the update of a rate.
  void before_update(Field field, const Rates& rates, const Part& part) {
    for (auto& list : this->lists_)
      if (list.place.of.part == part) run(list, field, rates, false);
  }

 private:
  void run(typename Base::List& list, Field field, const Rates& rates, bool begin) {
    kernels::LayersOfRates<S> kernel;
    kernel.list = list.view(field);
    kernel.sections = list.sections;
    kernel.curl_law = list.of(field).curl_law.data();
    kernel.curl_memory = list.of(field).curl_memory.data();
    kernel.metric = rates.metric;
    kernel.curl_metric = rates.curl_metric;
    kernel.inverse = rates.inverse;
    kernel.value = rates.value.data();
    kernel.rate = rates.rate.data();
    kernel.begin = begin;
    kernel.jumps = list.braked ? list.jumps.data() : nullptr;
    this->backend_.for_blocks(this->problem_.space, kernel, 0, list.place.blocks);
  }
};

}  // namespace tetrawave::march
