import type { UnitOfWork } from '../../platform/db/database.ts'
import { labelsIn } from '../../records/filter/label-test.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { ruleOf } from '../judging/judgement.ts'
import { effectiveRules, type EffectiveRule } from './effective-rules.ts'
import { ownPolicy, policyOf, type Policy } from './policy.ts'

type Records = Pick<RecordStore, 'loadWhere'>

/** Conditions for loading alert policies: all of one user (by id), or only that user's policies of one alert kind (`name`) and target. */
type PolicyQuery = { readonly user: string } | { readonly user: string; readonly name: string; readonly target: string }

/**
 * Loads those alert policies of a user (conditions in `query`) that apply to a system. They are for all systems, this one, or one of its
 * tags; only tags that admins or their tokens set count.
 */
async function loadApplying(records: Records, query: PolicyQuery, system: StoredRecord, unit?: UnitOfWork): Promise<readonly Policy[]> {
  const tags = ['', ...labelsIn(system['accessTags'])]
  // A few searches in the index, because a user may have many policies of other tags and systems.
  const places = [{ system: system.id }, ...tags.map((tag) => ({ system: '', tag }))]
  const found = await Promise.all(places.map((place) => records.loadWhere('alert_policies', { ...query, ...place }, unit)))
  return found.flat().map(policyOf)
}

const taggedSystem = ({ id, accessTags }: StoredRecord) => ({ id, tags: labelsIn(accessTags) })

/**
 * Loads the effective rule of a user's policies for one alert kind and target on a system, also one that turns the alert off. `undefined`
 * if no policy applies.
 */
export async function loadPolicyRule(
  records: Records,
  query: Extract<PolicyQuery, { readonly name: string }>,
  system: StoredRecord,
  unit: UnitOfWork,
): Promise<EffectiveRule | undefined> {
  const [rule] = effectiveRules(await loadApplying(records, query, system, unit), taggedSystem(system))
  return rule
}

/** Loads all alert rules of a user on a system: own alerts and rules of policies. Rules that are turned off are included. */
export async function loadRulesOfSystem(records: Records, user: string, system: StoredRecord): Promise<readonly EffectiveRule[]> {
  const alerts = (await records.loadWhere('alerts', { user, system: system.id })).map(ruleOf)
  const own = alerts.filter(({ isInherited }) => !isInherited).map(ownPolicy)
  return effectiveRules([...own, ...(await loadApplying(records, { user }, system))], taggedSystem(system))
}
