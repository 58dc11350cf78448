import { sql } from 'kysely'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import { ruleFacts } from '../../records/collections/tag-rules.ts'
import { systems as systemsCollection } from '../../records/collections/systems.ts'
import { relatedRecords } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { loadRelated, matcher } from '../../records/filter/matches.ts'
import { resolver } from '../../records/filter/resolve.ts'
import { reportedTagFields } from '../../records/model/reported-tags.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { parseSources } from '../../records/model/tag.ts'

/**
 * Interval in ms (5 min) at which a hub evaluates all tag rules for its systems, while there are rules. Changes of rules or of systems'
 * names, hosts and machine facts start an evaluation earlier.
 */
const EVERY_MS = 300_000
/**
 * Time in ms (1 s) for which changes of systems are collected before all tag rules are evaluated once for all of them. A changed rule
 * starts that at once.
 */
const COLLECTED_FOR_MS = 1000
/**
 * Number of systems whose tag rules are evaluated before the event loop does other work: 200. One transaction changes the tags of at most
 * 200 systems.
 */
const SYSTEMS_AT_ONCE = 200

type RuleParts = {
  readonly engine: Engine
  readonly bus: Pick<EventBus, 'subscribe'>
  readonly log: Log
  /** Returns true for a system (id) that this hub owns. Only the owner hub sets a system's tags by rules. */
  readonly owns: (system: string) => boolean
}

/**
 * Starts the background task that sets and removes the tags of tag rules on this hub's systems. It runs at the start, and every 5 min while
 * there are rules. It also runs for a new system and after changes of a rule or of a system's name, host or machine facts. Disposing it
 * stops it.
 */
export function startTagRules({ engine, bus, log, owns }: RuleParts): AsyncDisposable {
  const { store } = engine

  async function work(): Promise<number | undefined> {
    const rules = await store.loadWhere('tag_rules', {})
    // Without rules, only systems with tags of former rules change.
    const hasRuleTag = sql`where r."tagSources" like '%"rule"%'`
    const loaded = rules.length > 0 ? store.loadWhere('systems', {}) : store.loadSelected(systemsCollection, hasRuleTag)
    const systems = (await loaded).filter(({ id }) => owns(id))
    const tags = await tagsOfRules(rules, systems)
    const changed = systems.filter((system) => isChanged(system, tags.get(system.id) ?? []))
    for (let from = 0; from < changed.length; from += SYSTEMS_AT_ONCE) await setTags(changed.slice(from, from + SYSTEMS_AT_ONCE), tags)
    return rules.length === 0 ? undefined : EVERY_MS
  }

  const isChanged = (system: StoredRecord, tags: readonly string[]): boolean =>
    Object.keys(reportedTagFields(system, 'rule', tags)).length > 0

  async function tagsOfRules(
    rules: readonly StoredRecord[],
    systems: readonly StoredRecord[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const tags = new Map<string, string[]>()
    for (const rule of rules) {
      const tag = textOf(rule, 'tag')
      for (const system of await systemsOf(rule, systems)) tags.set(system, [...(tags.get(system) ?? []), tag])
    }
    return tags
  }

  /**
   * Resolves to the ids of those `systems` that the filter of the tag rule `rule` matches. If the filter cannot be evaluated, resolves to
   * those that already have the tag because of a rule, so that they keep it.
   */
  async function systemsOf(rule: StoredRecord, systems: readonly StoredRecord[]): Promise<readonly string[]> {
    const tag = textOf(rule, 'tag')
    try {
      const resolving = resolver(systemsCollection, { collections: engine.collections, facts: ruleFacts, nowMs: engine.clock.now() })
      const plan = resolving.plan(resolving.condition(textOf(rule, 'filter'), 'everything'))
      const [matches, related] = [matcher(plan), relatedRecords(engine, async (_, records) => records)]
      const found: string[] = []
      for (let from = 0; from < systems.length; from += SYSTEMS_AT_ONCE) {
        const some = systems.slice(from, from + SYSTEMS_AT_ONCE)
        const reach = await loadRelated(plan.joins, some, related)
        found.push(...some.filter((system) => matches(system, reach)).map(({ id }) => id))
        await othersTurn()
      }
      return found
    } catch (error) {
      log.warn('tag rule not evaluated', { tag, error })
      const hasIt = ({ tagSources }: StoredRecord): boolean =>
        parseSources(tagSources).some((one) => one.tag === tag && one.sources.includes('rule'))
      return systems.filter(hasIt).map(({ id }) => id)
    }
  }

  async function setTags(some: readonly StoredRecord[], tags: ReadonlyMap<string, readonly string[]>): Promise<void> {
    await engine.database.write(async (unit) => {
      const ids = some.map(({ id }) => id).toSorted()
      const loaded = await store.loadManyToChange(systemsCollection, ids, unit)
      const changes = loaded.map((before) => ({ before, values: reportedTagFields(before, 'rule', tags.get(before.id) ?? []) }))
      await store.updateMany(
        unit,
        systemsCollection,
        changes.filter(({ values }) => Object.keys(values).length > 0),
      )
    })
  }

  const loop = startLoop({ work, onError: (error) => log.error('tag rules not applied', { error }) })
  const ends = [
    bus.subscribe(['tag_rules'], () => loop.wake()),
    bus.subscribe(['system_details'], () => loop.wake(COLLECTED_FOR_MS)),
    bus.subscribe(['systems'], ({ action, record, previous }) => {
      const isMoved = previous !== undefined && (record['name'] !== previous['name'] || record['host'] !== previous['host'])
      if (action === 'create' || isMoved) loop.wake(COLLECTED_FOR_MS)
    }),
  ]
  return {
    async [Symbol.asyncDispose]() {
      for (const end of ends) end()
      await loop[Symbol.asyncDispose]()
    },
  }
}
