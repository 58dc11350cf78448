import type { DiskHealth, DiskHealthStatus } from '@vedette/protocol/metrics/disk-health'
import { present } from '@vedette/protocol/wire/present'
import { listAt, memberAt, numberAt, textAt, type Json } from '../../text/json.ts'
import { plainName } from '../../text/plain-name.ts'
import { smartAttributes } from './smart-attributes.ts'
import type { SmartDevice } from './smart-devices.ts'

/**
 * Result of reading one drive with `smartctl -a --json=c`. `health` has the values; `asleep`: in standby, not woken; `left out`: no
 * physical drive or no serial number; `failed`. The last two have the reason as text (`why`).
 */
export type SmartAnswer =
  | { readonly kind: 'health'; readonly health: DiskHealth }
  // The drive is in standby and was not woken.
  | { readonly kind: 'asleep' }
  // The device is not a physical drive, or has no serial number.
  | { readonly kind: 'left out'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }

/**
 * Bit with the value 1 of smartctl's exit status, smartctl(8): the command line was invalid. `NOT_OPENED` (2) means that the device could
 * not be opened, `FAILING` (8) that the drive fails.
 */
const COMMAND_LINE = 1
const NOT_OPENED = 2
const FAILING = 8

/**
 * Converts smartctl's output and exit status for one drive to its health, or to the reason (text) why there is none. `answer` is the parsed
 * JSON output; `undefined` when the output was not JSON.
 */
export function readSmartAnswer(answer: Json | undefined, exitCode: number, device: SmartDevice): SmartAnswer {
  const said = messagesOf(answer)
  if ((exitCode & NOT_OPENED) !== 0) return notOpened(said, device)
  if (answer === undefined) return { kind: 'failed', why: `smartctl ended with status ${exitCode} and told nothing` }
  const words = ['scsi_vendor', 'scsi_product', 'scsi_model_name', 'vendor', 'product', 'model_name']
  const virtual = words.map((word) => textAt(answer, word)).find((text) => text !== undefined && isVirtual(text))
  if (virtual !== undefined) return { kind: 'left out', why: `a virtual disk: ${plainName(virtual)}` }
  const serial = plainName(textAt(answer, 'serial_number') ?? '')
  if (serial === '') {
    if ((exitCode & COMMAND_LINE) !== 0 || said !== '') return { kind: 'failed', why: said || `smartctl ended with status ${exitCode}` }
    return { kind: 'left out', why: 'it tells no serial number' }
  }
  return { kind: 'health', health: healthOf(answer, exitCode, { device, serial }) }
}

/**
 * Returns the result for a drive that smartctl could not open: asleep or failed. `said` is smartctl's error message; an empty one means
 * standby (smartctl ran with `-n standby`), but a failure for NVMe.
 */
function notOpened(said: string, { type }: SmartDevice): SmartAnswer {
  if (/standby|sleep|low[- ]power/i.test(said)) return { kind: 'asleep' }
  if (said !== '') return { kind: 'failed', why: said }
  return type === 'nvme' ? { kind: 'failed', why: 'smartctl could not open it' } : { kind: 'asleep' }
}

/**
 * List of words in upper case; if a drive's vendor or model name contains one, it is a virtual disk of a hypervisor or network target. Such
 * a drive is left out.
 */
const VIRTUAL = ['IET', 'VIRTUAL', 'QEMU', 'VBOX', 'VMWARE', 'MSFT']
const isVirtual = (text: string): boolean => VIRTUAL.some((word) => text.toUpperCase().includes(word))

const messagesOf = (answer: Json | undefined): string =>
  listAt(answer, 'smartctl', 'messages')
    .map((message) => plainName(textAt(message, 'string') ?? ''))
    .filter((text) => text !== '')
    .join('; ')

type Identified = { readonly device: SmartDevice; readonly serial: string }

function healthOf(answer: Json, exitCode: number, { device, serial }: Identified): DiskHealth {
  const attributes = smartAttributes(answer)
  return present<DiskHealth>({
    id: serial,
    serial,
    model: named(answer, 'model_name') ?? named(answer, 'scsi_model_name') ?? named(answer, 'scsi_product'),
    firmware: named(answer, 'firmware_version') ?? named(answer, 'scsi_revision'),
    capacityBytes: positive(numberAt(answer, 'user_capacity', 'bytes')) ?? positive(numberAt(answer, 'nvme_total_capacity')),
    status: statusOf(answer, exitCode),
    device: device.path,
    type: device.type ?? named(answer, 'device', 'type'),
    celsius: celsiusOf(answer),
    attributes: attributes.length === 0 ? undefined : attributes,
  })
}

const named = (answer: Json, ...path: readonly string[]): string | undefined => plainName(textAt(answer, ...path) ?? '') || undefined

const positive = (value: number | undefined): number | undefined => (value !== undefined && value > 0 ? value : undefined)

/**
 * Returns the drive's own SMART verdict from smartctl's output: `PASSED`, `FAILED`, or `UNKNOWN` when it gives none. Without a verdict in
 * the JSON, the exit status's bit for a failing drive means `FAILED`.
 */
function statusOf(answer: Json, exitCode: number): DiskHealthStatus {
  const passed = memberAt(answer, 'smart_status', 'passed')
  if (passed === true) return 'PASSED'
  return passed === false || (exitCode & FAILING) !== 0 ? 'FAILED' : 'UNKNOWN'
}

/** Number, 5, of the page in smartctl's ATA device statistics that contains the drive's temperatures (ATA ACS-4, section 9.5.8). */
const TEMPERATURE_PAGE = 5

function celsiusOf(answer: Json): number | undefined {
  const told = plausibleCelsius(numberAt(answer, 'temperature', 'current'))
  if (told !== undefined) return told
  const page = listAt(answer, 'ata_device_statistics', 'pages').find((one) => numberAt(one, 'number') === TEMPERATURE_PAGE)
  const current = listAt(page, 'table').find((row) => textAt(row, 'name') === 'Current Temperature')
  return plausibleCelsius(numberAt(current, 'value'))
}

/**
 * Returns a drive's temperature in °C if it is above 0 and below 200, else `undefined`. Drives without a sensor report 0 or a negative
 * number.
 */
const plausibleCelsius = (celsius: number | undefined): number | undefined =>
  celsius !== undefined && celsius > 0 && celsius < 200 ? celsius : undefined
