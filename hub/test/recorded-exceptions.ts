import type { Step } from './recorded-step.ts'

type Exception = {
  readonly reason: string
  /** Which steps, by `FILE, GROUP: AS METHOD PATH` and, after a space, the JSON of the body if there is one. */
  readonly matches: RegExp
}

const ONE_ACCOUNT = 'an admin is a superuser: people have one account and one password, not two of each'

/** Where we answer in another way than the recorded hub, on purpose: who is better off, and why. */
const onPurpose: readonly Exception[] = [
  { reason: ONE_ACCOUNT, matches: /: boss GET \S*\/systems\/records\?page=1&perPage=500|: dave (GET \/api\/settings|POST \S*impersonate)/ },
  { reason: ONE_ACCOUNT, matches: /paging: super GET \S*_superusers/ },
  { reason: ONE_ACCOUNT, matches: /0\.2\.0, a new hub: (admin POST \S*users\/records|guest POST \S*users\/auth-with-password)/ },
  { reason: ONE_ACCOUNT, matches: /0\.2\.0, (admin accounts: boss GET|users: boss POST|back-office: boss GET)/ },
  { reason: 'clients that send the key’s request as POST get the key', matches: /: (?!guest)\w+ POST \/api\/beszel\/getkey/ },
  { reason: 'people see which version they run; clients compare its beginning', matches: /info\?fields=v$/ },
  {
    reason: 'the person who mistypes a port, or a name that no list can show, is told by the field',
    matches: /spec-calls, create a system: super POST .*("port":(7\.5|true)|"name":"x{300})/,
  },
  {
    reason: 'owners of a system: nobody else learns of it through an alert',
    matches: /alerts writes: alice POST \S*alerts\/records .*"system":"sys000000000003"/,
  },
  {
    reason: 'everybody: nobody can be given another’s alert',
    matches: /alerts writes: (?:alice PATCH \S*alr000000000001 .*"user":"usrbob|super GET \S*alr000000000001\?fields=user,value,min)/,
  },
  {
    reason: 'the person who sends what can be no alert is told, instead of being left with one that never rings',
    matches: /user alerts: (alice POST .*("name":"Nope"|"min":61)|super GET \S*(name%3D'Nope'|sort=user,system,name))/,
  },
  { reason: 'tools that show an icon of the hub get one', matches: /basics, .*: guest GET \/static\/favicon/ },
  { reason: 'a page past the end is empty, however far: scripts end', matches: /page=9223372036854775807/ },
  {
    reason: 'clients of either generation find a list, which one of them walks without looking',
    matches: /^auth, .*\/(users|_superusers|_pb_users_auth_)\/auth-methods$/,
  },
  { reason: 'XML is no form here: one parser less to attack', matches: /<x\/>/ },
  {
    reason: 'an admin manages every system, and is told that no agent is there',
    matches: /smart: super (GET \S*logs|POST )\S*sys000000000003/,
  },
  {
    reason: 'clients: what is wrong with the first admin is the sender’s fault, 400',
    matches: /first-run, a new hub: guest POST \S*create-user ("?\{$|.*("not an email"|"short"))/,
  },
  { reason: 'everybody: measurements come from agents alone, nobody can make them up', matches: /system page: admin POST/ },
  { reason: 'admins are told the settings as they are', matches: /: (super|admin) GET \/api\/settings/ },
  {
    reason: 'tools are told the collections as they are, with this hub’s stricter rules',
    matches: /crons and collections: super GET \/api\/collections(\?sort|\/(systems|users|alerts)(\?|$))/,
  },
  { reason: 'everybody: nobody, admins included, runs SQL through the web', matches: /: super POST \/api\/sql/ },
]

/** What comes with parts of the product that are not there yet. */
const notYet: readonly Exception[] = [
  { reason: 'alerts are not evaluated yet', matches: /alerts writes: alice GET \S*alerts_history/ },
  { reason: 'no codes are sent by mail yet', matches: /auth, otp switched on: (super|guest) (PATCH|POST)/ },
  {
    reason: 'no backups are made yet',
    matches: /: super GET \/api\/health|backups: .*one\.zip.*"one\.zip"|backups: super POST \S*backups .*"one/,
  },
  { reason: 'no backups are made yet', matches: /backups: (guest GET \S*one\.zip\?token|super (DELETE|GET \/api\/backups$))/ },
  { reason: 'devices are not remembered yet', matches: /_authOrigins\/records/ },
  { reason: 'there are no providers and no jobs to list yet', matches: /: super GET \/api\/(crons|collections\/meta\/oauth2)/ },
  { reason: 'no notifications are sent yet', matches: /test notification: (boss|super)/ },
]

/** What is replayed with a fleet of agents, in a test of its own. */
const elsewhere: readonly Exception[] = [
  { reason: 'agents that dial: agent-endpoints.test.ts', matches: /containers, systemd, smart: guest GET \S*agent-connect/ },
  { reason: 'a system whose agent does not answer goes down: fleet.test.ts', matches: /0\.2\.0, systems: alice GET \S*page=1&perPage=500/ },
]

export type Deviation = { readonly kind: 'on purpose' | 'not yet' | 'elsewhere'; readonly reason: string }

/** A step as the lists of exceptions match it. */
export function lineOf(file: string, group: string, step: Step): string {
  const body = step.json === undefined ? (step.raw ?? '') : JSON.stringify(step.json)
  return `${file}, ${group}: ${step.as ?? 'guest'} ${step.method} ${step.path}${body === '' ? '' : ` ${body}`}`
}

/** Why a step is answered differently; undefined for every step that must be answered as recorded. */
export function deviationOf(line: string): Deviation | undefined {
  for (const [kind, list] of [
    ['on purpose', onPurpose],
    ['not yet', notYet],
    ['elsewhere', elsewhere],
  ] as const) {
    const found = list.find(({ matches }) => matches.test(line))
    if (found !== undefined) return { kind, reason: found.reason }
  }
  return undefined
}
