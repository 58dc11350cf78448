import type { FamilyDefinition } from './exposition.ts'

const gauge = (help: string): FamilyDefinition => ({ type: 'gauge', help })
const counter = (help: string): FamilyDefinition => ({ type: 'counter', help })

/**
 * Map from name to definition (type and help text) of all metric families of `/metrics`, in the order of the response. Names and base units
 * follow the Prometheus naming rules. Ratios are 0 to 1; only the hub's own CPU ratio may exceed 1.
 */
export const families = {
  vedette_hub: { type: 'info', help: 'Version of the hub.' },
  vedette_hub_uptime_seconds: gauge('Time since the start of the hub.'),
  vedette_hub_systems: gauge('Number of systems by status.'),
  vedette_hub_connected_agents: gauge('Number of connected agents.'),
  vedette_hub_cpu_ratio: gauge('CPU use of the hub in the last minute, 1 is one core.'),
  vedette_hub_resident_memory_bytes: gauge('Resident memory of the hub.'),
  vedette_hub_heap_bytes: gauge('Used JavaScript heap of the hub.'),
  vedette_hub_event_loop_delay_seconds: gauge('Largest delay of the event loop in the last minute.'),
  vedette_hub_database_size_bytes: gauge('Size of the database with indexes and free pages.'),
  vedette_hub_waiting_samples: gauge('Number of samples that wait to be stored.'),
  vedette_hub_waiting_messages: gauge('Number of notifications and emails that wait to be sent.'),
  vedette_hub_waiting_log_entries: gauge('Number of log entries that wait to be stored.'),
  vedette_metrics_left_out_samples: gauge('Number of samples that this response leaves out because of its limits.'),

  vedette_system: { type: 'info', help: 'Version of the agent of a system.' },
  vedette_system_up: gauge('1 if the agent of the system responds, otherwise 0.'),
  vedette_system_status: gauge('1 for the status of the system, 0 for the other statuses.'),
  vedette_system_uptime_seconds: gauge('Time since the system booted.'),
  vedette_system_last_sample_timestamp_seconds: gauge('Time of the sample that this response shows.'),
  vedette_system_cpu_ratio: gauge('CPU use of the whole system.'),
  vedette_system_cpu_mode_ratio: gauge('Share of CPU time by mode.'),
  vedette_system_load1: gauge('Load average over 1 minute.'),
  vedette_system_load5: gauge('Load average over 5 minutes.'),
  vedette_system_load15: gauge('Load average over 15 minutes.'),
  vedette_system_memory_size_bytes: gauge('Size of the memory.'),
  vedette_system_memory_used_bytes: gauge('Memory in use that the kernel cannot reclaim.'),
  vedette_system_memory_cache_bytes: gauge('Page cache, reclaimable slab and buffers.'),
  vedette_system_memory_zfs_arc_bytes: gauge('Size of the ZFS adaptive replacement cache.'),
  vedette_system_swap_size_bytes: gauge('Size of the swap space.'),
  vedette_system_swap_used_bytes: gauge('Used swap space.'),
  vedette_system_pressure_ratio: gauge('Share of time in which tasks waited for a resource (PSI).'),
  vedette_system_filesystem_size_bytes: gauge('Size of a filesystem.'),
  vedette_system_filesystem_used_bytes: gauge('Used space of a filesystem.'),
  vedette_system_filesystem_used_ratio: gauge('Share of the space for unprivileged users that is used, as in df(1).'),
  vedette_system_filesystem_inodes: gauge('Number of files and folders that a filesystem can hold.'),
  vedette_system_filesystem_used_inodes: gauge('Number of files and folders in a filesystem.'),
  vedette_system_disk_read_bytes_per_second: gauge('Read rate of the disk of a filesystem.'),
  vedette_system_disk_written_bytes_per_second: gauge('Write rate of the disk of a filesystem.'),
  vedette_system_disk_busy_ratio: gauge('Share of time in which the disk had a request in flight.'),
  vedette_system_disk_read_await_seconds: gauge('Mean duration of a read.'),
  vedette_system_disk_write_await_seconds: gauge('Mean duration of a write.'),
  vedette_system_network_sent_bytes_per_second: gauge('Send rate of all counted interfaces.'),
  vedette_system_network_received_bytes_per_second: gauge('Receive rate of all counted interfaces.'),
  vedette_system_interface_sent_bytes: counter('Bytes that an interface has sent since boot.'),
  vedette_system_interface_received_bytes: counter('Bytes that an interface has received since boot.'),
  vedette_system_temperature_celsius: gauge('Temperature of a sensor.'),
  vedette_system_fan_speed_rpm: gauge('Speed of a fan in revolutions per minute.'),
  vedette_system_battery_charge_ratio: gauge('Charge of a battery.'),
  vedette_system_gpu_usage_ratio: gauge('Use of a GPU.'),
  vedette_system_gpu_memory_size_bytes: gauge('Size of the memory of a GPU.'),
  vedette_system_gpu_memory_used_bytes: gauge('Used memory of a GPU.'),
  vedette_system_gpu_power_watts: gauge('Power draw of a GPU.'),

  vedette_container_cpu_ratio: gauge('CPU use of a container, as a share of the whole system.'),
  vedette_container_memory_bytes: gauge('Memory of a container without reclaimable page cache.'),
  vedette_container_network_sent_bytes_per_second: gauge('Send rate of a container.'),
  vedette_container_network_received_bytes_per_second: gauge('Receive rate of a container.'),
  vedette_container_disk_read_bytes_per_second: gauge('Read rate of a container.'),
  vedette_container_disk_written_bytes_per_second: gauge('Write rate of a container.'),
} as const satisfies Readonly<Record<string, FamilyDefinition>>

export type FamilyName = keyof typeof families
