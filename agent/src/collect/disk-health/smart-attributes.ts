import type { DiskAttribute } from '@vedette/protocol/metrics/disk-health'
import { present } from '@vedette/protocol/wire/present'
import { listAt, memberAt, numberAt, textAt, type Json } from '../../text/json.ts'
import { plainName } from '../../text/plain-name.ts'

/**
 * Returns the list of the drive's NVMe, ATA or SCSI counters (name and number each) in smartctl's JSON output. ATA attributes are in the
 * order of that output, the others in a fixed one.
 */
export function smartAttributes(answer: Json): readonly DiskAttribute[] {
  const log = memberAt(answer, 'nvme_smart_health_information_log')
  if (log !== undefined) return counters(log, nvmeCounters)
  const table = listAt(answer, 'ata_smart_attributes', 'table')
  return table.length > 0 ? table.flatMap(ataAttribute) : counters(answer, scsiCounters)
}

/**
 * NVMe attributes to report: the name of each, with the path of its counter in smartctl's JSON (SMART / Health Information log, NVM Express
 * Base Specification).
 */
const nvmeCounters: readonly (readonly [name: string, ...path: string[]])[] = [
  ['CriticalWarning', 'critical_warning'],
  ['Temperature', 'temperature'],
  ['AvailableSpare', 'available_spare'],
  ['AvailableSpareThreshold', 'available_spare_threshold'],
  ['PercentageUsed', 'percentage_used'],
  ['DataUnitsRead', 'data_units_read'],
  ['DataUnitsWritten', 'data_units_written'],
  ['HostReads', 'host_reads'],
  ['HostWrites', 'host_writes'],
  ['ControllerBusyTime', 'controller_busy_time'],
  ['PowerCycles', 'power_cycles'],
  ['PowerOnHours', 'power_on_hours'],
  ['UnsafeShutdowns', 'unsafe_shutdowns'],
  ['MediaErrors', 'media_errors'],
  ['NumErrLogEntries', 'num_err_log_entries'],
  ['WarningTempTime', 'warning_temp_time'],
  ['CriticalCompTime', 'critical_comp_time'],
]

const scsiCounters: readonly (readonly [name: string, ...path: string[]])[] = [
  ['PowerOnHours', 'power_on_time', 'hours'],
  ['PowerOnMinutes', 'power_on_time', 'minutes'],
  ['GrownDefectList', 'scsi_grown_defect_list'],
  ['StartStopCycles', 'scsi_start_stop_cycle_counter', 'accumulated_start_stop_cycles'],
  ['LoadUnloadCycles', 'scsi_start_stop_cycle_counter', 'accumulated_load_unload_cycles'],
  ...(['read', 'write', 'verify'] as const).flatMap((action): readonly (readonly [string, ...string[]])[] => {
    const Action = `${action.slice(0, 1).toUpperCase()}${action.slice(1)}`
    return [
      [`${Action}TotalErrorsCorrected`, 'scsi_error_counter_log', action, 'total_errors_corrected'],
      [`${Action}TotalUncorrectedErrors`, 'scsi_error_counter_log', action, 'total_uncorrected_errors'],
      [`${Action}GigabytesProcessed`, 'scsi_error_counter_log', action, 'gigabytes_processed'],
    ]
  }),
]

/**
 * Reads counters at the given paths in smartctl's JSON and returns each as a drive attribute with name and number. Missing and negative
 * counters are left out.
 */
const counters = (from: Json, names: readonly (readonly [name: string, ...path: string[]])[]): readonly DiskAttribute[] =>
  names.flatMap(([name, ...path]) => {
    const raw = numberAt(from, ...path) ?? leadingNumber(textAt(from, ...path))
    return raw === undefined || raw < 0 ? [] : [{ name, raw }]
  })

function ataAttribute(entry: Json): readonly DiskAttribute[] {
  const name = plainName(textAt(entry, 'name') ?? '')
  const rawText = plainName(textAt(entry, 'raw', 'string') ?? '')
  // Vendors pack more than the count into the raw bytes; smartctl's text begins with the count.
  const raw = leadingNumber(rawText) ?? numberAt(entry, 'raw', 'value')
  if (name === '' || raw === undefined || raw < 0) return []
  return [
    present<DiskAttribute>({
      id: smallNumber(numberAt(entry, 'id')),
      name,
      value: smallNumber(numberAt(entry, 'value')),
      worst: smallNumber(numberAt(entry, 'worst')),
      threshold: smallNumber(numberAt(entry, 'thresh')),
      raw,
      rawText: rawText === '' ? undefined : rawText,
      failed: plainName(textAt(entry, 'when_failed') ?? '') || undefined,
    }),
  ]
}

/**
 * Returns the number at the start of a text such as `7344 (253d 8h)`, `0h+0m+0.000s` or `34 (Min/Max 18/45)`. `undefined` when there is
 * none.
 */
function leadingNumber(text: string | undefined): number | undefined {
  const digits = /^\d+(?:\.\d+)?/.exec(text ?? '')?.[0]
  return digits === undefined ? undefined : Number(digits)
}

const smallNumber = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value >= 0 && value <= 0xffff ? value : undefined
