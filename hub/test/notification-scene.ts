import type { NoticeBody, Transition } from '../src/alerts/notifications/notice.ts'
import { putNotice } from '../src/alerts/notifications/notice-outbox.ts'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { startNotifier } from '../src/alerts/notifications/notifier.ts'
import { idsIn } from '../src/records/filter/matches.ts'
import type { RecordValues } from '../src/records/model/record-store.ts'
import { defaultSettings, settingsOf } from '../src/settings/settings.ts'
import { silentLog, type TestDatabaseKind } from './databases.ts'
import { webPushKey } from './told-channel.ts'
import { engineOn } from './test-engine.ts'

const NOON_MS = Date.UTC(2026, 0, 10, 12)

/** One user and their notifications, over a real database, with a clock that the test moves. */
export async function notificationScene(kind: TestDatabaseKind, role: 'admin' | 'user' = 'admin', internalDestinations = false) {
  const stack = new AsyncDisposableStack()
  const { database, bus } = stack.use(await kind.open())
  let nowMs = NOON_MS
  const engine = engineOn(database, { now: () => nowMs })
  const { store: records } = engine
  const insert = (collection: string, values: RecordValues) => database.write((unit) => records.insert(unit, collection, values))
  const owner = await insert('users', { email: `${role}@example.com`, username: role, role, verified: true, password: 'none' })
  const preferences = await insert('user_settings', { user: owner.id, settings: {} })
  const settings = settingsOf(database, engine.secrets)
  const start = () =>
    startNotifier({ engine, settings, bus, webPushKey, appUrl: 'https://hub.example/', internalDestinations, log: silentLog })
  let notifier = await start()
  stack.defer(() => notifier.close())
  const settled = async (): Promise<void> => {
    notifier.wake()
    await notifier.settled()
  }

  /** Makes the system of a notice, and shares it with the person. */
  async function share(id: string, person: string): Promise<void> {
    await database.write(async (unit) => {
      const before = await records.load('systems', id, unit)
      if (before === undefined) await records.insert(unit, 'systems', { id, name: id, status: 'up', host: id, users: [person], info: {} })
      else if (!idsIn(before['users']).includes(person))
        await records.update(unit, 'systems', id, { users: [...idsIn(before['users']), person] })
    })
  }

  /** Writes notices about incidents, all in one transaction. The person sees their systems. */
  async function tellAll(
    all: readonly { readonly incident: string; readonly transition: Transition; readonly body: Partial<NoticeBody> }[],
    whose = owner.id,
  ): Promise<void> {
    for (const { body } of all) await share(body.systemName ?? 'web', whose)
    await database.write(async (unit) => {
      for (const { incident, transition, body } of all)
        await putNotice(unit, {
          incident,
          transition,
          owner: whose,
          system: body.systemName ?? 'web',
          atMs: nowMs,
          body: { systemName: 'web', kind: 'CPU', value: 93.2, threshold: 80, minutes: 10, beganMs: nowMs, ...body },
        })
    })
  }

  return {
    database,
    engine,
    owner,
    insert,
    now: () => nowMs,
    wake: () => notifier.wake(),
    settled,
    /** Moves the clock without waking the notifier. */
    setClock: (minutes: number) => void (nowMs += minutes * 60_000),
    /** Time passes, and what falls due is done. */
    pass: async (minutes: number) => {
      nowMs += minutes * 60_000
      await settled()
    },
    restart: async () => {
      await notifier.close()
      notifier = await start()
    },
    channels: (channels: JsonObject) =>
      database.write((unit) => records.update(unit, 'user_settings', preferences.id, { settings: channels })),
    /** As who has just been made an account. */
    forgetChoices: () => database.write((unit) => records.remove(unit, 'user_settings', preferences.id)),
    sendMail: (port: number) =>
      settings.save(
        {
          ...defaultSettings,
          meta: { ...defaultSettings.meta, senderAddress: 'hub@hub.example' },
          smtp: { ...defaultSettings.smtp, enabled: true, host: '127.0.0.1', port },
        },
        async () => {},
      ),
    remove: (collection: string, id: string) => database.write((unit) => records.remove(unit, collection, id)),
    tell: (incident: string, transition: Transition = 'fired', body: Partial<NoticeBody> = {}, whose = owner.id) =>
      tellAll([{ incident, transition, body }], whose),
    tellAll,
    notices: () => database.kysely.selectFrom('notices').selectAll().orderBy('at').orderBy('incident').orderBy('transition').execute(),
    deliveries: () => database.kysely.selectFrom('deliveries').selectAll().orderBy('place').execute(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
