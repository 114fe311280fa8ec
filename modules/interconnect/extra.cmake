# Requests are routed by the address map of the memory partitions.
heddle_link(modules/interconnect heddle_modules_memory_partition)
