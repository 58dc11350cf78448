/**
 * List of pairs: a browser's name, and a regular expression that matches its `User-Agent`. The first match counts, because many browsers
 * name others too.
 */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const platforms: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

const LONGEST = 60

/**
 * Returns browser and operating system as text, such as `Firefox, Linux`, for a `User-Agent` header (RFC 9110). An unknown one is returned
 * as it is, cut to 60 characters.
 */
export function browserName(agent: string): string {
  const named = (list: typeof browsers) => list.find(([, sign]) => sign.test(agent))?.[0]
  const names = [named(browsers), named(platforms)].filter((name) => name !== undefined)
  return names.length === 0 ? agent.slice(0, LONGEST) : names.join(', ')
}
