import { isCborMap, type CborMap, type CborValue } from '../cbor/value.ts'
import type { Diagnosis, Finding, SkippedPart } from '../metrics/diagnosis.ts'
import { FieldReader, type FieldProblem } from './field-reader.ts'
import { present } from './present.ts'

const diagnosisKey = { agentVersion: 0, takenAtMs: 1, collectors: 2 } as const
const findingKey = { name: 0, state: 1, found: 2, skipped: 3, error: 4, remedy: 5, costMs: 6, ageMs: 7 } as const
const skippedKey = { what: 0, why: 1 } as const
const states: readonly Finding['state'][] = ['works', 'absent', 'failing']

/** Returns the agent's diagnostics encoded as a CBOR map. Only Vedette hubs request them. */
export function encodeDiagnosis(diagnosis: Diagnosis): CborMap {
  return new Map<number, CborValue>([
    [diagnosisKey.agentVersion, diagnosis.agentVersion],
    [diagnosisKey.takenAtMs, Math.round(diagnosis.takenAtMs)],
    [diagnosisKey.collectors, diagnosis.collectors.map(findingMap)],
  ])
}

function findingMap(finding: Finding): CborMap {
  const map = new Map<number, CborValue>([
    [findingKey.name, finding.name],
    [findingKey.state, states.indexOf(finding.state)],
    [findingKey.skipped, finding.skipped.map(skippedMap)],
  ])
  const further: readonly (readonly [number, CborValue | undefined])[] = [
    [findingKey.found, finding.found],
    [findingKey.error, finding.error],
    [findingKey.remedy, finding.remedy],
    [findingKey.costMs, finding.costMs],
    [findingKey.ageMs, finding.ageMs],
  ]
  for (const [key, value] of further) if (value !== undefined) map.set(key, value)
  return map
}

const skippedMap = ({ what, why }: SkippedPart): CborMap =>
  new Map([
    [skippedKey.what, what],
    [skippedKey.why, why],
  ])

/**
 * Decodes a CBOR item into an agent's diagnostics of its collectors; `undefined` when the item has no list of collectors or no time.
 * Unusable entries of that list are left out.
 */
export function decodeDiagnosis(value: CborValue): Diagnosis | undefined {
  if (!isCborMap(value)) return undefined
  const problems: FieldProblem[] = []
  const reader = new FieldReader(value, 'diagnosis', problems)
  const collectors = reader.maps(diagnosisKey.collectors, readFinding)
  const takenAtMs = reader.amount(diagnosisKey.takenAtMs)
  if (collectors === undefined || takenAtMs === undefined) return undefined
  return { agentVersion: reader.text(diagnosisKey.agentVersion) ?? '', takenAtMs, collectors }
}

function readFinding(finding: FieldReader): Finding | undefined {
  const name = finding.text(findingKey.name)
  const state = finding.word(findingKey.state, states)
  if (name === undefined || state === undefined) return undefined
  return present<Finding>({
    name,
    state,
    found: finding.text(findingKey.found),
    skipped: finding.maps(findingKey.skipped, readSkipped) ?? [],
    error: finding.text(findingKey.error),
    remedy: finding.text(findingKey.remedy),
    costMs: finding.amount(findingKey.costMs),
    ageMs: finding.amount(findingKey.ageMs),
  })
}

function readSkipped(skipped: FieldReader): SkippedPart | undefined {
  const what = skipped.text(skippedKey.what)
  const why = skipped.text(skippedKey.why)
  return what === undefined || why === undefined ? undefined : { what, why }
}
