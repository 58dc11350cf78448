import type { DiskAttribute, DiskHealth } from './disk-health.ts'

/** Share of a drive's rated writes that is used up, percent; above 100 for a drive that outlived its rating. `undefined` for drives that do not report it. */
export function driveWearPercent({ attributes = [] }: Pick<DiskHealth, 'attributes'>): number | undefined {
  const used = highestOf(attributes, usedNames, usedPercent)
  return used ?? highestOf(attributes, stepNames, usedSteps) ?? highestOf(attributes, leftNames, usedByLeft)
}

type Names = ReadonlySet<string>

/** NVM Express Base Specification, SMART / Health Information log page. */
const usedNames: Names = new Set(['percentageused'])
/** eMMC, JEDEC JESD84-B51 section 7.4: estimates for two kinds of memory. */
const stepNames: Names = new Set(['devicelifetimeesta', 'devicelifetimeestb'])
/** ATA attributes whose normalised value is the life that is left, percent. Source: drivedb.h of smartmontools. */
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

/** 1 is 0 to 10 % used, 11 more than 100 %; 0 is unknown. The lower bound counts. */
const usedSteps = ({ raw }: DiskAttribute): number | undefined =>
  Number.isInteger(raw) && raw >= 1 && raw <= 11 ? (raw - 1) * 10 : undefined

/** Some vendors count down from 200 or 253: their scale is unknown. */
const usedByLeft = ({ value }: DiskAttribute): number | undefined =>
  value !== undefined && value >= 0 && value <= 100 ? 100 - value : undefined

/** The highest of the attributes with one of these names, ignoring case and punctuation. */
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
