import type { DiskAttribute, DiskHealth } from './disk-health.ts'

/**
 * Returns how much of a drive's rated life or writes is used, in percent, from its attributes; above 100 for a drive beyond its rating.
 * `undefined` when the drive does not report it.
 */
export function driveWearPercent({ attributes = [] }: Pick<DiskHealth, 'attributes'>): number | undefined {
  const used = highestOf(attributes, usedNames, usedPercent)
  return used ?? highestOf(attributes, stepNames, usedSteps) ?? highestOf(attributes, leftNames, usedByLeft)
}

type Names = ReadonlySet<string>

/**
 * Set of names (lower case, letters only) of NVMe attributes with the used percentage of the rated life: NVM Express Base Specification,
 * SMART / Health Information log.
 */
const usedNames: Names = new Set(['percentageused'])
/**
 * Set of names (lower case, letters only) of the two eMMC attributes that estimate the used lifetime in steps of 10 %. One is for each type
 * of memory; JEDEC JESD84-B51 section 7.4.
 */
const stepNames: Names = new Set(['devicelifetimeesta', 'devicelifetimeestb'])
/**
 * Set of names (lower case, letters only) of ATA attributes whose normalised value is the remaining life in percent. Source: drivedb.h of
 * smartmontools.
 */
const leftNames: Names = new Set([
  'percentlifetimeremain',
  'percentliferemaining',
  'remaininglifetimeperc',
  'ssdlifeleft',
  'mediawearoutindicator',
  'wearlevelingcount',
])

const MAX_NVME_PERCENT = 255

const usedPercent = ({ raw }: DiskAttribute): number | undefined => (raw >= 0 && raw <= MAX_NVME_PERCENT ? raw : undefined)

/** Converts an eMMC wear step into percent, by its lower bound: 1 is 0 to 10 % used, 11 more than 100 %. `undefined` for 0 (unknown). */
const usedSteps = ({ raw }: DiskAttribute): number | undefined =>
  Number.isInteger(raw) && raw >= 1 && raw <= 11 ? (raw - 1) * 10 : undefined

/**
 * Converts the remaining life in percent (an attribute's value) into the used percent. `undefined` above 100: some vendors count down from
 * 200 or 253.
 */
const usedByLeft = ({ value }: DiskAttribute): number | undefined =>
  value !== undefined && value >= 0 && value <= 100 ? 100 - value : undefined

/**
 * Returns the highest result of `convert` over the attributes with one of these names, compared without case and punctuation; `undefined`
 * when there is none.
 */
function highestOf(
  attributes: readonly DiskAttribute[],
  names: Names,
  convert: (attribute: DiskAttribute) => number | undefined,
): number | undefined {
  let highest: number | undefined
  for (const attribute of attributes) {
    if (!names.has(attribute.name.toLowerCase().replaceAll(/[^a-z]/g, ''))) continue
    const value = convert(attribute)
    if (value !== undefined && value > (highest ?? -1)) highest = value
  }
  return highest
}
