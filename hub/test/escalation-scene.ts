import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { acknowledgeIncident } from '../src/alerts/incidents/acknowledgement.ts'
import { changePersonSettings } from '../src/alerts/notifications/person-settings.ts'
import { closeIncidents } from '../src/alerts/transitions/alert-transition.ts'
import type { TestDatabaseKind } from './databases.ts'
import { httpPeer } from './http-peer.ts'
import { notificationScene } from './notification-scene.ts'

const TEMPLATE = '{"title":"{{title}}","message":"{{message}}","acknowledge":"{{acknowledge}}"}'

/** A person other than the owner of the alert, with a webhook. */
export type OtherPerson = { readonly id: string; readonly titles: () => readonly string[]; readonly messages: () => readonly string[] }

/** The owner of an alert on the system `web`, an admin with two webhooks, and other people who may view it. */
export async function escalationScene(kind: TestDatabaseKind) {
  const stack = new AsyncDisposableStack()
  const [first, second] = [stack.use(await httpPeer()), stack.use(await httpPeer())]
  const scene = stack.use(await notificationScene(kind, 'admin', true))
  const { database, engine, owner } = scene
  const hook = (port: number) => `generic://127.0.0.1:${port}/?disabletls=yes&template=${TEMPLATE}`
  const titlesOf = ({ received }: typeof first) => received.map(({ body }) => (JSON.parse(body) as { readonly title: string }).title) // the template
  const addresses = { first: hook(first.port), second: hook(second.port) }
  const change = (whose: string, settings: JsonObject) =>
    database.write((unit) => changePersonSettings(engine, unit, whose, (stored) => ({ ...stored, ...settings })))
  await change(owner.id, { webhooks: [addresses.first], timeZone: 'UTC' })

  async function addPerson(name: string, settings: JsonObject = {}): Promise<OtherPerson> {
    const peer = stack.use(await httpPeer())
    const values = { email: `${name}@example.com`, username: name, name, role: 'user', verified: true, password: 'none' }
    const { id } = await scene.insert('users', values)
    await change(id, { webhooks: [hook(peer.port)], ...settings })
    await setViewers([...viewers, id])
    return { id, titles: () => titlesOf(peer), messages: () => peer.received.map(({ body }) => body) }
  }

  let viewers: readonly string[] = []
  async function setViewers(ids: readonly string[]): Promise<void> {
    viewers = ids
    await database.write((unit) => engine.store.update(unit, 'systems', 'web', { users: ids }))
  }
  await scene.insert('systems', { id: 'web', name: 'web', status: 'up', host: 'web', users: [], info: {} })

  async function end(incident: string, ending: 'resolved' | 'closed' = 'resolved'): Promise<void> {
    await database.write((unit) =>
      closeIncidents({ unit, records: engine.store, nowMs: scene.now() }, { alert: 'a', system: 'web', incident }, ending),
    )
    if (ending === 'resolved') await scene.tell(incident, 'resolved')
    await scene.settled()
  }

  return {
    scene,
    owner,
    addresses,
    addPerson,
    setViewers,
    change,
    hook,
    end,
    setSteps: (escalation: JsonObject[]) => change(owner.id, { escalation }),
    fire: async (incident: string, severity: 'warning' | 'critical' = 'critical') => {
      await database.write(async ({ sql }) => {
        const rule = { alert: 'a', owner: owner.id, system: 'web', kind: 'CPU', target: '', threshold: 80, minutes: 10, value: 93 }
        await sql
          .insertInto('incidents')
          .values({ id: incident, ...rule, began: scene.now(), ended: null, ending: '', severity })
          .execute()
      })
      await scene.tell(incident, 'fired', severity === 'warning' ? { severity } : {})
      await scene.settled()
    },
    worsen: async (incident: string) => {
      const none = { acknowledged: null, acknowledger: '', note: '', snoozed: null, remind: null, escalate: null }
      await database.write(({ sql }) =>
        sql
          .updateTable('incidents')
          .set({ severity: 'critical', ...none })
          .where('id', '=', incident)
          .execute(),
      )
      await scene.tell(incident, 'worse', { severity: 'critical' })
      await scene.settled()
    },
    acknowledge: (id: string, snoozeMinutes?: number) =>
      database.write((unit) => acknowledgeIncident(unit, { id, owner: owner.id }, { by: 'Ada', note: '', snoozeMinutes }, scene.now())),
    titles: () => titlesOf(first),
    secondTitles: () => titlesOf(second),
    transitions: async () => (await scene.notices()).map(({ transition, state }) => `${transition} ${state}`),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
