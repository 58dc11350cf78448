import type { Runtime } from '../runtime/runtime.ts'
import type { Roots } from '../source/proc-source.ts'
import { cpuModelOf } from '../text/cpu-model.ts'
import { digitsOf } from './hub-proofs.ts'
import { FINGERPRINT_FILE } from './identity-files.ts'

/** Product id (DMI UUID) that some makers of mainboards give to all their boards. It does not identify a machine, so it is ignored. */
const NOT_UNIQUE = '03000200-0400-0500-0006-000700080009'

/** Number of hash bytes in a fingerprint, 24; it has two hexadecimal digits for each. */
const FINGERPRINT_BYTES = 24

/**
 * Returns the fingerprint, a text by which hubs recognise this machine. It is read from the data folder. If it is missing, it is derived
 * from the machine's ids (as by Beszel agents) and stored in the data folder, if there is one.
 */
export function readFingerprint(runtime: Runtime, roots: Roots, dataFolder: string | undefined): string {
  const kept = dataFolder === undefined ? undefined : keptFingerprint(runtime, dataFolder)
  if (kept !== undefined) return kept
  const fingerprint = machineFingerprint(runtime, roots)
  if (dataFolder !== undefined) runtime.writeFile(`${dataFolder}/${FINGERPRINT_FILE}`, runtime.bytes.utf8(fingerprint), 0o644)
  return fingerprint
}

export const keptFingerprint = (runtime: Runtime, dataFolder: string): string | undefined =>
  runtime.readText(`${dataFolder}/${FINGERPRINT_FILE}`)?.trim() || undefined

export const machineFingerprint = (runtime: Runtime, roots: Roots): string => fingerprintOf(runtime, machineId(runtime, roots))

export function fingerprintOf(runtime: Pick<Runtime, 'bytes'>, id: string): string {
  const digest = runtime.bytes.sha256(runtime.bytes.utf8(id)).subarray(0, FINGERPRINT_BYTES)
  return digitsOf(digest)
}

/**
 * Returns a text that identifies the machine: the board's product id (readable for root only), else the machine id, else the boot id. If
 * there is none, or the product id is known not to be unique, host name and CPU model.
 */
export function machineId(runtime: Runtime, { proc, sys, etc }: Roots): string {
  const firstLine = (path: string): string => runtime.readText(path)?.split('\n', 1)[0]?.trim().toLowerCase() ?? ''
  const id =
    firstLine(`${sys}/class/dmi/id/product_uuid`) ||
    dashed(firstLine(`${etc}/machine-id`)) ||
    firstLine(`${proc}/sys/kernel/random/boot_id`)
  if (id !== '' && id !== NOT_UNIQUE) return id
  return (runtime.readText(`${proc}/sys/kernel/hostname`)?.trim() ?? '') + (cpuModelOf(runtime.readText(`${proc}/cpuinfo`) ?? '') ?? '')
}

const dashed = (digits: string): string =>
  /^[0-9a-f]{32}$/.test(digits) ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : digits
