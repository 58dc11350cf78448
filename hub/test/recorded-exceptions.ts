import type { Step } from './recorded-step.ts'

type Exception = {
  /** Who is better off, and why. */
  readonly reason: string
  /** Which steps, by `FILE, GROUP: AS METHOD PATH` and, after a space, the JSON of the body if there is one. */
  readonly matches: RegExp
}

const ONE_ACCOUNT = 'an admin is a superuser: people have one account and one password, not two of each'

/** Where we answer in another way than the recorded hub, on purpose. */
const exceptions: readonly Exception[] = [
  { reason: ONE_ACCOUNT, matches: /: boss GET \S*\/systems\/records\?page=1&perPage=500|: dave (GET \/api\/settings|POST \S*impersonate)/ },
  {
    reason: ONE_ACCOUNT,
    matches: /admin only pages: super|universal token: super GET \S*universal-token|user alerts: super GET \S*sort=user/,
  },
  { reason: ONE_ACCOUNT, matches: /0\.2\.0, a new hub: (admin POST \S*users\/records|guest POST \S*users\/auth-with-password)/ },
  { reason: ONE_ACCOUNT, matches: /0\.2\.0, (admin accounts: boss GET|users: boss POST|key: admin GET \S*getkey|back-office: boss GET)/ },
  {
    reason: 'clients of either generation find what they know: the early addresses for admins are served beside today’s',
    matches: /(auth|admin), .*: \w+ \w+ (\/api\/admins|\S*external-auths)/,
  },
  {
    reason: 'clients that send the key’s request as POST get the key',
    matches: /: \w+ POST \/api\/beszel\/getkey/,
  },
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
    matches: /user alerts: (alice POST .*("name":"Nope"|"min":61)|super GET \S*name%3D'Nope')/,
  },
  {
    reason: 'alerts are evaluated by another part of the product, which has recordings of its own',
    matches: /alerts writes: alice GET \S*alerts_history/,
  },
  {
    reason: 'a hub that makes no backups says so, and people make their own',
    matches: /(: super GET \/api\/health)|(backups: (super|guest) \w+ \S*(one|nope)\.zip)|backups: .*one\.zip/,
  },
  { reason: 'the dashboard serves its own files, and there are none under these paths', matches: /: guest GET \/(?:static\/|_\/)/ },
  { reason: 'a page past the end is empty, however far: scripts end', matches: /page=9223372036854775807/ },
  { reason: 'a list, since clients walk it without looking', matches: /\/(users|_superusers|_pb_users_auth_)\/auth-methods$/ },
  { reason: 'a device is not remembered for being signed in from', matches: /_authOrigins\/records/ },
  { reason: 'XML is no form here: one parser less to attack', matches: /<x\/>/ },
  {
    reason: 'there is no switching on of codes by mail on a hub that sends none',
    matches: /auth, otp switched on: \w+ (PATCH|POST|GET \S*users\/auth-methods)/,
  },
  {
    reason: 'an admin manages every system, and no agent is there',
    matches: /containers, systemd, smart: super (?:GET|POST) \S*sys000000000003/,
  },
  { reason: 'agents that dial have a test of their own, with a fleet', matches: /containers, systemd, smart: guest GET \S*agent-connect/ },
  {
    reason: 'what is wrong with the first admin is the sender’s fault, 400',
    matches: /first-run, a new hub: guest POST \S*create-user ("?\{$|.*("not an email"|"short"))/,
  },
  { reason: 'measurements come from agents alone: nobody can make them up', matches: /system page: (admin POST|alice GET \S*records\?)/ },
  { reason: 'settings are told as they are', matches: /: (super|admin) GET \/api\/settings/ },
  {
    reason: 'jobs, providers and collections are told as they are, with this hub’s ids and stricter rules',
    matches: /(crons and collections|back-office): (super|admin) GET \/api\/(crons|collections)/,
  },
  { reason: 'nobody, admins included, runs SQL through the web', matches: /\/api\/sql/ },
  { reason: 'a hub that sends no notifications says so', matches: /test notification: (boss|super)/ },
]

/** A step as the lists of exceptions match it. */
export function lineOf(file: string, group: string, step: Step): string {
  const body = step.json === undefined ? (step.raw ?? '') : JSON.stringify(step.json)
  return `${file}, ${group}: ${step.as ?? 'guest'} ${step.method} ${step.path}${body === '' ? '' : ` ${body}`}`
}

/** Why a step is answered differently; undefined for every step that must be answered as recorded. */
export function otherOnPurpose(line: string): string | undefined {
  return exceptions.find(({ matches }) => matches.test(line))?.reason
}
