import { grantsList, groupsList, peopleList, readGrant, readGroup, readPerson, readTagRule, tagRulesList } from './access-lists.ts'
import { readRecordEvent } from './client.ts'
import type { JsonRecord } from './json.ts'
import { applyUpdate, renewHubIdentity } from './live.ts'
import { follow } from './live-connection.ts'
import { systemsList } from './queries.ts'

/**
 * Map from the name of a collection, such as `groups`, to a function. It applies a realtime event of a record of that collection to the
 * query cache.
 */
const updates: ReadonlyMap<string, (action: string, record: JsonRecord) => void> = new Map([
  ['users', (action: string, record: JsonRecord) => peopleList.apply(action, readPerson(record))],
  ['groups', (action: string, record: JsonRecord) => groupsList.apply(action, readGroup(record))],
  ['tag_access', (action: string, record: JsonRecord) => grantsList.apply(action, readGrant(record))],
  ['tag_rules', (action: string, record: JsonRecord) => tagRulesList.apply(action, readTagRule(record))],
])

/**
 * Subscribes to realtime events of systems, users, groups, grants and tag rules, and applies them to the query cache. The settings page
 * "Access" does this while it is open; only admins receive the events. Returns the function that unsubscribes.
 */
export const followAccess = (): (() => void) =>
  follow({
    topics: ['systems/*', ...[...updates.keys()].map((collection) => `${collection}/*`)],
    onEvent(topic, data) {
      const update = updates.get(topic.split('/')[0] ?? '')
      if (update === undefined) return applyUpdate(topic, data)
      const { action, record } = readRecordEvent(data)
      update(action, record)
    },
    onConnect(isAgain) {
      for (const list of [systemsList, peopleList, groupsList, grantsList, tagRulesList]) list.renew()
      if (isAgain) renewHubIdentity()
    },
  })
