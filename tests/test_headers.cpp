// Nothing: this source's target has the headers that all tests share.
