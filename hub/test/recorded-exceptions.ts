import type { Step } from './recorded-step.ts'

type Exception = {
  readonly reason: string
  /** Which steps, by `FILE, GROUP: AS METHOD PATH` and, after a space, the JSON of the body if there is one. */
  readonly matches: RegExp
}

/** Where we answer in another way than the recorded hub, on purpose. */
const exceptions: readonly Exception[] = [
  {
    reason: 'an admin is a superuser: there is one account, not two',
    matches: /_superusers|pbc_3142635823|: boss GET \S*\/systems\/records/,
  },
  {
    reason: 'an admin is a superuser, and may refresh as the user they are',
    matches: /spec-calls, auth-refresh: super POST \S*\/users\/auth-refresh/,
  },
  {
    reason: 'there are no such tables of ours; accounts at providers and codes by mail come with mail and providers',
    matches: /\/_(?:otps|mfas|externalAuths|authOrigins)\//,
  },
  {
    reason: 'the hub refuses a port that is none and a name that no list can show, with the field’s error',
    matches: /spec-calls, create a system: super POST .*("port":(7\.5|true)|"name":"x{300})/,
  },
  {
    reason: 'an alert may only hang on a system that its owner may see',
    matches: /alerts writes: alice POST \S*alerts\/records .*"system":"sys000000000003"/,
  },
  {
    reason: 'an alert stays its owner’s',
    matches: /alerts writes: (?:alice PATCH \S*alr000000000001 .*"user":"usrbob|super GET \S*alr000000000001\?fields=user,value,min)/,
  },
  { reason: 'alerts are evaluated by another part of the product', matches: /alerts writes: alice GET \S*alerts_history/ },
  { reason: 'there are no backups to make yet, and no connection in this test', matches: /: super GET \/api\/health/ },
  { reason: 'the dashboard serves its own files, and there are none under these paths', matches: /: guest GET \/(?:static\/|_\/)/ },
  { reason: 'a page past the end is empty, however far', matches: /page=9223372036854775807/ },
  { reason: 'a list, since clients walk it without looking', matches: /\/auth-methods$/ },
  { reason: 'XML is no form here', matches: /<x\/>/ },
  { reason: 'no mail is sent yet', matches: /request-verification|confirm-|email-change/ },
  { reason: 'there is no back-office to switch codes by mail on yet', matches: /auth, otp switched on/ },
  { reason: 'signing in at a provider comes with providers', matches: /oauth2-redirect/ },
  {
    reason: 'an admin manages every system, and no agent is there',
    matches: /containers, systemd, smart: super (?:GET|POST) \S*sys000000000003/,
  },
  { reason: 'agents that dial have a test of their own, with a fleet', matches: /containers, systemd, smart: guest GET \S*agent-connect/ },
  { reason: 'nobody signs in as somebody else yet', matches: /auth, impersonate/ },
]

/** Why a step is answered differently; undefined for every step that must be answered as recorded. */
export function otherOnPurpose(file: string, group: string, step: Step): string | undefined {
  const body = step.json === undefined ? (step.raw ?? '') : JSON.stringify(step.json)
  const line = `${file}, ${group}: ${step.as ?? 'guest'} ${step.method} ${step.path}${body === '' ? '' : ` ${body}`}`
  return exceptions.find(({ matches }) => matches.test(line))?.reason
}
