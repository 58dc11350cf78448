import type { Runtime } from '../runtime/runtime.ts'
import type { Roots } from '../source/proc-source.ts'
import { cpuModelOf } from '../text/cpu-model.ts'
import { digitsOf } from './hub-proofs.ts'
import { FINGERPRINT_FILE } from './identity-files.ts'

/** Some boards carry this product id from the factory, and clones of one virtual machine would share it. */
const NOT_UNIQUE = '03000200-0400-0500-0006-000700080009'

/** Hex digits of the first 24 bytes. */
const FINGERPRINT_BYTES = 24

/**
 * The text by which hubs recognise this machine: kept in the data folder (no newline at its end: it is compared exactly),
 * made from the machine's own ids when there is none, by the same rule as other agents of these hubs.
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

/** Product id of the board (readable for root only), else the installation's, else the boot's; where none tells machines apart, name and CPU. */
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
