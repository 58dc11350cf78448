import { ownValue } from '@vedette/protocol/own-value'
/**
 * Rate-limit rule: at most `maxRequests` from one client address (IPv6: one /64 network) within `duration` seconds. `label` is an action on
 * a collection (`systems:create`, `*:auth`), a path (`/api/batch`, `POST /api/batch`), or a path prefix that ends with a slash. `audience`
 * is `@guest`, `@auth` (signed-in users), or `''` for everyone.
 */
export type RateRule = {
  readonly label: string
  readonly audience: '' | '@guest' | '@auth'
  readonly maxRequests: number
  readonly duration: number
}

export type RateLimits = {
  readonly enabled: boolean
  readonly rules: readonly RateRule[]
  /** IP addresses and networks, such as `10.0.0.0/8`, whose requests the rate limits neither count nor refuse. */
  readonly excludedIPs: readonly string[]
}

/**
 * Rate limits of API requests for a hub whose settings have none. They are off (`enabled` false); the rules apply once an admin enables
 * rate limits.
 */
export const defaultRateLimits: RateLimits = {
  enabled: false,
  rules: [
    { label: '*:auth', audience: '', duration: 3, maxRequests: 2 },
    { label: '*:create', audience: '', duration: 5, maxRequests: 20 },
    { label: '/api/batch', audience: '', duration: 1, maxRequests: 3 },
    { label: '/api/', audience: '', duration: 10, maxRequests: 300 },
  ],
  excludedIPs: [],
}

/**
 * Returns true when a text is a valid label of a rate-limit rule: an API path, with or without a method, or an action on a collection or
 * `*`.
 */
export const isRateLabel = (text: string): boolean => /^(?:[A-Z]+ )?\/[\w\-/{}.]*$|^(?:\w+|\*):\w+$/.test(text)

const ofRecords: Readonly<Record<string, readonly [list: string, one: string]>> = {
  GET: ['list', 'view'],
  HEAD: ['list', 'view'],
  POST: ['create', 'create'],
  PUT: ['create', 'create'],
  PATCH: ['update', 'update'],
  DELETE: ['delete', 'delete'],
}

/**
 * Map from the last part of a sign-in route's path, such as `auth-with-otp`, to the name of its action in rate-limit rules, such as
 * `authWithOTP`. The action `auth` covers all.
 */
const signingIn: Readonly<Record<string, string>> = {
  'auth-with-password': 'authWithPassword',
  'auth-with-oauth2': 'authWithOAuth2',
  'auth-with-otp': 'authWithOTP',
  'auth-with-passkey': 'authWithPasskey',
  'auth-with-second-factor': 'authWithSecondFactor',
}

/**
 * Returns the texts of a request that the labels of rate-limit rules can match, most specific first. `nameOf` resolves a collection's name
 * or id to its name, so that an id cannot bypass a rule.
 */
export function rateLabels(method: string, path: string, nameOf: (nameOrId: string) => string | undefined): readonly string[] {
  const whole = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const plain = [`${method} ${whole}`, whole]
  const [, api, area, nameOrId = '', what = '', id] = whole.split('/')
  if (api !== 'api' || (area !== 'collections' && area !== 'files')) return plain
  const name = nameOf(nameOrId)
  if (name === undefined) return plain
  const actions = area === 'files' ? ['file'] : actionsOf(method, what, id !== undefined)
  return [...actions.map((action) => `${name}:${action}`), ...actions.map((action) => `*:${action}`), ...plain]
}

function actionsOf(method: string, what: string, isOne: boolean): readonly string[] {
  if (what === 'records') return [ownValue(ofRecords, method)?.[isOne ? 1 : 0] ?? ''].filter((action) => action !== '')
  const wayIn = ownValue(signingIn, what)
  if (wayIn !== undefined) return [wayIn, 'auth']
  return what === '' ? [] : [what.replace('otp', 'OTP').replaceAll(/-([a-z])/gi, (_, letter: string) => letter.toUpperCase())]
}

/**
 * Returns the rate-limit rule for a request's labels: the rule of the first label for which a rule for its audience exists. A rule of that
 * exact label precedes rules with a path prefix, of which the longest wins. `undefined` if no rule matches.
 */
export function findRule(rules: readonly RateRule[], labels: readonly string[], isGuest: boolean): RateRule | undefined {
  const forThem = rules.filter(({ audience }) => audience === '' || audience === (isGuest ? '@guest' : '@auth'))
  const above = forThem.filter(({ label }) => label.endsWith('/')).toSorted((a, b) => b.label.length - a.label.length)
  for (const name of labels) {
    const found = forThem.find(({ label }) => label === name) ?? above.find(({ label }) => `${name}/`.startsWith(label))
    if (found !== undefined) return found
  }
  return undefined
}
