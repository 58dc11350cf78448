import type { Step } from './recorded-step.ts'

type Exception = {
  readonly reason: string
  /** Which steps, by `FILE, GROUP: AS METHOD PATH` and, after a space, the JSON of the body if there is one. */
  readonly matches: RegExp
  /** Comes with a part of the product that is not there yet. */
  readonly later?: true
}

const ONE_ACCOUNT = 'an admin is a superuser: people have one account and one password, not two of each'

/** Intended differences of our responses from the recorded hub's, with the benefit of each. */
const exceptions: readonly Exception[] = [
  { reason: ONE_ACCOUNT, matches: /: boss GET \S*\/systems\/records\?page=1&perPage=500|: dave (GET \/api\/settings|POST \S*impersonate)/ },
  { reason: ONE_ACCOUNT, matches: /paging: super GET \S*_superusers/ },
  { reason: ONE_ACCOUNT, matches: /0\.2\.0, (users: boss POST|back-office: boss GET)/ },
  { reason: 'clients that send the key’s request as POST get the key, as specified', matches: /: (?!guest)\w+ POST \/api\/beszel\/getkey/ },
  { reason: 'people see which version they run; clients compare its beginning', matches: /info\?fields=v$/ },
  {
    reason: 'the person who mistypes a port is told by the field',
    matches: /spec-calls, create a system: super POST .*"port":(7\.5|true)/,
  },
  {
    reason: 'owners of a system: nobody else learns of it through an alert',
    matches: /alerts writes: alice POST \S*alerts\/records .*"system":"sys000000000003"/,
  },
  {
    reason: 'everybody: nobody can be given another’s alert',
    matches: /alerts writes: (?:alice PATCH \S*alr000000000001 .*"user":"usrbob|super GET \S*alr000000000001\?fields=user,value,min)/,
  },
  { reason: 'tools that show an icon of the hub get one', matches: /basics, .*: guest GET \/static\/favicon/ },
  { reason: 'a page past the end is empty, however far: scripts end', matches: /page=9223372036854775807/ },
  {
    reason: 'an admin manages every system, and is told that no agent is there',
    matches: /smart: super (GET \S*logs|POST )\S*sys000000000003/,
  },
  {
    reason: 'clients: what is wrong with the first admin is the sender’s fault, 400',
    matches: /first-run, a new hub: guest POST \S*create-user .*("not an email"|"short")/,
  },
  { reason: 'everybody: measurements come from agents alone, nobody can make them up', matches: /system page: admin POST/ },
  { reason: 'admins are told the settings as they are', matches: /: (super|admin) GET \/api\/settings/ },
  {
    reason: 'tools are told the collections as they are, with this hub’s stricter checks',
    matches: /crons and collections: super GET \/api\/collections(\?sort|\/(systems|users|alerts)(\?|$))/,
  },
  { reason: 'everybody: nobody, admins included, runs SQL through the web', matches: /: super POST \/api\/sql/ },
  { reason: 'admins are told the jobs and providers there are', matches: /: super GET \/api\/(crons|collections\/meta\/oauth2)/ },
]

/** The same for filters, sorts and fields, by account, collection and text. */
const queryExceptions: readonly Exception[] = [
  { reason: ONE_ACCOUNT, matches: /^boss / },
  { reason: 'admins are told the settings as they are', matches: /\/api\/settings\?fields=meta/ },
  {
    reason: 'everybody: the roles of people one may not see cannot be found out',
    matches: /^alice systems users\.role = 'user'$/,
  },
]

export function queryDeviationOf(text: string): string | undefined {
  return queryExceptions.find(({ matches }) => matches.test(text))?.reason
}

/** A step as the lists of exceptions match it. */
export function lineOf(file: string, group: string, step: Step): string {
  const body = step.json === undefined ? (step.raw ?? '') : JSON.stringify(step.json)
  return `${file}, ${group}: ${step.as ?? 'guest'} ${step.method} ${step.path}${body === '' ? '' : ` ${body}`}`
}

/** Whether the response will be the recorded one in a later version. */
export function isLater(line: string): boolean {
  return exceptions.find(({ matches }) => matches.test(line))?.later === true
}

/** Reason for a different response to a step; `undefined` when it must be as recorded. */
export function deviationOf(line: string): string | undefined {
  return exceptions.find(({ matches }) => matches.test(line))?.reason
}
