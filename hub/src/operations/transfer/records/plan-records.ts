import type { UnitOfWork } from '../../../platform/db/database.ts'
import { alerts } from '../../../records/collections/alerts.ts'
import { fingerprints } from '../../../records/collections/fingerprints.ts'
import { quietHours } from '../../../records/collections/quiet-hours.ts'
import { externalAuths } from '../../../records/collections/sign-in-traces.ts'
import { systems } from '../../../records/collections/systems.ts'
import { universalTokens } from '../../../records/collections/universal-tokens.ts'
import { userSettings } from '../../../records/collections/user-settings.ts'
import { users } from '../../../records/collections/users.ts'
import { textOf, type StoredRecord } from '../../../records/model/stored-record.ts'
import { noteInAudit } from '../../../records/writing/audit-log.ts'
import type { ForeignHub, RecordsPlan, TransferChoices, TransferLine, TransferTarget } from '../foreign-hub.ts'
import { type AccountsPlan, planAccounts } from './accounts.ts'
import { judgeFingerprints, judgeUniversalTokens } from './agent-tokens.ts'
import { insertAlertHistory, judgeAlertHistory } from './alert-history.ts'
import { type AlertFacts, insertAlerts, planAlerts } from './alert-records.ts'
import { currentCollections, judgeCurrentRows } from './current-state.ts'
import { judgeLinks } from './external-links.ts'
import { planSettings, saveSettings, type SettingsPlan } from './hub-settings.ts'
import { judgeQuietHours, judgeUserSettings } from './personal-records.ts'
import { insertNew, type RecordStep, rehearse, runStep } from './record-steps.ts'
import type { NewRecord, RowJudgement } from './rows/row-judgement.ts'
import { planSignIn, saveSignIn, type SignInPlan } from './sign-in-settings.ts'
import { loadStoredHere, manyRecordsOf, type StoredHere } from './stored-here.ts'
import { planSystems } from './system-records.ts'

/**
 * Plans the import of all records: accounts, systems, alerts and settings. Throws `UnknownSuperuserError` for a chosen admin that the
 * imported hub does not have. Writes nothing.
 */
export async function planRecords(foreign: ForeignHub, target: TransferTarget, choices: TransferChoices): Promise<RecordsPlan> {
  const here = await loadStoredHere(target)
  const accounts = planAccounts(foreign, here, choices)
  const systemsPlan = planSystems(foreign, here, accounts)
  const settings = await planSettings(foreign, target)
  const signIn = await planSignIn(foreign, target, settings.sendsMail)
  const facts: AlertFacts = {
    here,
    userOf: accounts.idOf,
    systemOf: systemsPlan.idOf,
    paused: systemsPlan.paused,
    nowMs: target.clock.now(),
  }
  const steps = [
    ...accountSteps(target, accounts),
    linkStep({ foreign, target, here, accounts, signIn }),
    { what: 'systems', judge: () => systemsPlan.judged, insert: insertNew(target, systems) },
    ...recordSteps({ foreign, target, facts }),
    ...settingsSteps(settings, signIn),
  ]
  const rehearsed = steps.map(rehearse)
  const lines = [...rehearsed.map(({ line }) => line), ...systemFileLines(foreign)].filter(({ found }) => found > 0)
  return {
    lines,
    systems: systemsPlan.idOf,
    hasAdmin: accounts.firstAdmin !== undefined,
    rows: rehearsed.reduce((sum, { line }) => sum + line.found, 0),
    bytes: rehearsed.reduce((sum, { bytes }) => sum + bytes, 0),
    async write(progress, signal) {
      let doneRows = 0
      for (const step of steps) {
        signal.throwIfAborted()
        doneRows += await runStep(target, step, { progress, signal, doneRows })
      }
      await promote(target, accounts.promoted)
      await saveSettings(target, settings)
      await saveSignIn(target, signIn)
    },
  }
}

/**
 * Returns the two steps of an import that insert users and superusers of the other hub. New admins of this hub are inserted in the step of
 * the superusers.
 */
function accountSteps(target: TransferTarget, accounts: AccountsPlan): readonly RecordStep[] {
  const insertPeople = insertNew(target, users, async (unit, records) => {
    await manyRecordsOf(target).insertMany(unit, users, records)
    for (const record of records) if (record['role'] === 'admin') await noteAdmin(unit, target, record)
  })
  const insertAdmins: RecordStep['insert'] = (unit, records) =>
    insertPeople(
      unit,
      records.filter((record) => accounts.newAdmins.includes(record)),
    )
  return [
    { what: 'users', judge: () => accounts.users, insert: insertPeople },
    { what: 'superusers', judge: () => accounts.superusers, insert: insertAdmins },
  ]
}

const noteAdmin = (unit: UnitOfWork, { clock }: TransferTarget, account: NewRecord | StoredRecord): Promise<void> =>
  noteInAudit(unit, clock.now(), {
    by: 'command line',
    action: 'update',
    target: 'users',
    id: account.id,
    name: textOf(account, 'email'),
    changes: { role: [null, 'admin'] },
  })

/** Gives existing accounts of this hub the role `admin`, with audit log entries, in one transaction. */
async function promote(target: TransferTarget, promoted: readonly StoredRecord[]): Promise<void> {
  if (promoted.length === 0) return
  await target.database.write(async (unit) => {
    for (const account of promoted) {
      await target.records.update(unit, users.name, account.id, { role: 'admin' })
      await noteAdmin(unit, target, account)
    }
  })
}

type LinkParts = {
  readonly foreign: ForeignHub
  readonly target: TransferTarget
  readonly here: StoredHere
  readonly accounts: AccountsPlan
  readonly signIn: SignInPlan
}

const linkStep = ({ foreign, target, here, accounts, signIn }: LinkParts): RecordStep => ({
  what: 'accounts at identity providers',
  judge: () => judgeLinks(foreign, { here, accounts, providers: signIn.sharedProviders }),
  insert: insertNew(target, externalAuths),
})

type RecordParts = { readonly foreign: ForeignHub; readonly target: TransferTarget; readonly facts: AlertFacts }

/** Returns the import steps for the records of systems and users of the other hub, such as systems, tokens, alerts and quiet hours. */
function recordSteps({ foreign, target, facts }: RecordParts): readonly RecordStep[] {
  const { here, userOf, systemOf: idOf } = facts
  const store = manyRecordsOf(target)
  const alertsPlan = planAlerts(foreign, facts)
  const { firing } = alertsPlan
  const minutesOf = new Map(
    alertsPlan.judged.flatMap((one) => (one.decision === 'taken' ? [[one.record.id, Number(one.record['min'])] as const] : [])),
  )
  return [
    { what: 'fingerprints', judge: () => judgeFingerprints(foreign, here, idOf), insert: insertNew(target, fingerprints) },
    { what: 'universal tokens', judge: () => judgeUniversalTokens(foreign, here, userOf), insert: insertNew(target, universalTokens) },
    ...currentCollections.map((collection): RecordStep => ({
      what: collection.name.replaceAll('_', ' '),
      judge: () => judgeCurrentRows(foreign, here, { collection, idOf }),
      insert: insertNew(target, collection),
    })),
    { what: 'user settings', judge: () => judgeUserSettings(foreign, facts), insert: insertNew(target, userSettings) },
    { what: 'quiet hours', judge: () => judgeQuietHours(foreign, facts), insert: insertNew(target, quietHours) },
    {
      what: 'alerts',
      judge: () => alertsPlan.judged,
      insert: insertNew(target, alerts, (unit, records) => insertAlerts(unit, { target, store, firing }, records)),
    },
    {
      what: 'alert history',
      judge: () => judgeAlertHistory(foreign, facts, firing),
      insert: (unit, records) => insertAlertHistory(unit, { target, store, minutesOf }, records),
    },
  ]
}

const storedLater = (what: string, judged: readonly RowJudgement[]): RecordStep => ({ what, judge: () => judged, insert: async () => {} })

/**
 * Returns import steps for settings, identity providers and ways to sign in. They only count the decisions for the preview and insert
 * nothing, because these settings are stored at the end of the import.
 */
const settingsSteps = (settings: SettingsPlan, signIn: SignInPlan): readonly RecordStep[] => [
  storedLater('settings', settings.judged),
  storedLater('identity providers', signIn.judgedProviders),
  storedLater('ways to sign in', signIn.judgedWays),
]

/**
 * Returns the preview's lines about the file `config.yml` (list of systems) of the imported hub: one line, or none without the file. The
 * file is not imported, because the database has its systems.
 */
function systemFileLines({ configYaml }: ForeignHub): readonly TransferLine[] {
  if (configYaml === undefined) return []
  const reason =
    'its systems come from the database. Copied into the data folder, it adds and updates its systems at each start, and deletes only those that it added'
  return [{ what: 'config.yml', found: 1, taken: 0, present: 0, changed: [], leftOut: [{ reason, count: 1, examples: [] }] }]
}
