import type { CollectOptions } from '../collect/collectors.ts'
import { readCollect } from './collect-config.ts'
import { parseCommandLine, type PrintCommand } from './command-line.ts'
import type { OptionReader } from './option-reader.ts'
import { readHubs } from './hub-addresses.ts'
import { ignoredOptions, environmentNames, type OptionName } from './schema.ts'
import type { LogLevel, Runtime, SshAddress } from '../runtime/runtime.ts'
import type { FingerprintCommand } from '../link/fingerprint-command.ts'
import type { HubAddress } from '../link/websocket-link.ts'
import { inNetwork, networks, parseListenAddress } from '../text/listen-address.ts'
import { parsePublicKeys, type PublicKey } from '../text/public-keys.ts'

export type SshConfig = { readonly mode: 'off' } | { readonly mode: 'listen'; readonly address: SshAddress }
export type WebSocketConfig =
  | { readonly mode: 'off' }
  | {
      readonly mode: 'dial'
      /**
       * List of the addresses of the hubs, at least one. Several hubs form one installation with a common database; the agent connects to
       * one at a time.
       */
      readonly hubs: readonly HubAddress[]
      readonly token: string
    }

export type AgentConfig = {
  readonly keys: readonly PublicKey[]
  readonly ssh: SshConfig
  readonly webSocket: WebSocketConfig
  readonly systemName: string | undefined
  /** True to end the agent when the hub's host name cannot be resolved, so that its container is restarted. */
  readonly exitOnNameError: boolean
  readonly dataFolder: string | undefined
  /** Numeric id of the user to which the agent changes when root has started it; `undefined` to stay root. */
  readonly runAs: number | undefined
  readonly logLevel: LogLevel
  readonly collect: CollectOptions
  /** List of texts of warnings about the agent's configuration, such as an ignored option, to be logged once at the start. */
  readonly remarks: readonly string[]
}

export type ConfigResult =
  // The native executable runs `update` before it starts this script.
  | { readonly kind: 'help' | 'version' | 'update' }
  | { readonly kind: 'run'; readonly config: AgentConfig }
  // Result for a subcommand that prints and ends. It needs no key and connects to no hub.
  | { readonly kind: 'print'; readonly command: PrintCommand; readonly runAs: number | undefined; readonly collect: CollectOptions }
  | { readonly kind: 'health'; readonly dataFolder: string | undefined }
  | { readonly kind: 'fingerprint'; readonly command: FingerprintCommand }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }

const DEFAULT_PORT = 45_876
const MAX_TOKEN_BYTES = 64

/**
 * Reads the agent's command line and environment variables, and returns the subcommand to run with its settings. With one or more problems,
 * the result has the kind `refused` and the list of all problems. Help, version, `update` and `health` ignore problems.
 */
export function readConfig(runtime: Runtime): ConfigResult {
  const line = parseCommandLine(runtime.info().argv)
  if (!('values' in line)) return { kind: line.asks }
  if (line.asks === 'update') return { kind: 'update' }
  const problems = [...line.problems]
  const remarks: string[] = []
  const given = (name: string): string | undefined =>
    line.values.get(name) ??
    environmentNames(name)
      .map((spelt) => runtime.env(spelt))
      .find((value) => value !== null) ??
    undefined
  const reader: OptionReader = {
    given,
    text: (name) => given(name)?.trim() || undefined,
    refuse: (problem) => {
      problems.push(problem)
    },
    remark: (text) => {
      remarks.push(text)
    },
    fileText: (path) => runtime.readText(path) ?? undefined,
  }

  if (line.asks === 'health') return { kind: 'health', dataFolder: reader.text('DATA_DIR') }
  if (line.asks === 'fingerprint view' || line.asks === 'fingerprint reset') {
    const does = line.asks === 'fingerprint view' ? 'view' : 'reset'
    const { roots } = readCollect(reader)
    return problems.length > 0
      ? { kind: 'refused', problems }
      : { kind: 'fingerprint', command: { does, dataFolder: reader.text('DATA_DIR'), roots } }
  }
  if (line.asks !== 'run') {
    const [runAs, collect] = [readUser(reader), readCollect(reader)]
    return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'print', command: line.asks, runAs, collect }
  }
  const config = {
    keys: readKeys(reader),
    ...readLinks(reader),
    systemName: reader.text('SYSTEM_NAME'),
    exitOnNameError: readFlag(reader, 'EXIT_ON_DNS_ERROR'),
    dataFolder: reader.text('DATA_DIR'),
    runAs: readUser(reader),
    logLevel: readLogLevel(reader),
    collect: readCollect(reader),
  }
  const later = ignoredOptions.filter((name) => given(name) !== undefined)
  if (later.length > 0) remarks.push(`This agent does not act on ${later.join(', ')} yet`)
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'run', config: { ...config, remarks } }
}

function readKeys(reader: OptionReader): readonly PublicKey[] {
  const [name, text] = textOrFile(reader, 'KEY', 'KEY_FILE')
  const { keys, problems } = parsePublicKeys(text ?? '')
  for (const problem of problems) reader.refuse(`${name}: ${problem}`)
  if (text === undefined || (keys.length === 0 && problems.length === 0)) {
    reader.refuse('KEY or KEY_FILE: needs the public key of the hub, which its Add System dialog shows')
  }
  return keys
}

function textOrFile(reader: OptionReader, name: OptionName, fileName: OptionName): readonly [string, string | undefined] {
  const text = reader.text(name)
  const path = reader.text(fileName)
  if (text !== undefined || path === undefined) return [name, text]
  const content = reader.fileText(path)
  if (content === undefined) {
    reader.refuse(`${fileName}: Cannot read "${path}"`)
    return [fileName, '']
  }
  return [fileName, content.trim()]
}

function readLinks(reader: OptionReader): { readonly ssh: SshConfig; readonly webSocket: WebSocketConfig } {
  const ssh = readSsh(reader)
  const webSocket = readWebSocket(reader)
  if (ssh.mode === 'off' && webSocket.mode === 'off' && (reader.text('HUB_URL') === undefined || !hasToken(reader))) {
    reader.refuse('DISABLE_SSH: without SSH the agent needs HUB_URL and TOKEN, otherwise no hub can reach it')
  }
  return { ssh, webSocket }
}

const hasToken = (reader: OptionReader): boolean => reader.text('TOKEN') !== undefined || reader.text('TOKEN_FILE') !== undefined

function readSsh(reader: OptionReader): SshConfig {
  const isOff = readFlag(reader, 'DISABLE_SSH')
  const name = reader.text('LISTEN') === undefined ? 'PORT' : 'LISTEN'
  const text = reader.text(name) ?? String(DEFAULT_PORT)
  const address = parseListenAddress(text)
  if (address === undefined) reader.refuse(`${name}: "${text}" is not a port, host:port or path of a socket`)
  const network = reader.text('NETWORK')
  const onNetwork = address && inNetwork(address, network)
  if (address !== undefined && onNetwork === undefined)
    reader.refuse(`NETWORK: "${network}" is not one of ${networks.join(', ')} or does not fit ${name}`)
  return isOff ? { mode: 'off' } : { mode: 'listen', address: onNetwork ?? { kind: 'tcp', port: DEFAULT_PORT } }
}

function readFlag(reader: OptionReader, name: OptionName): boolean {
  const text = reader.text(name) ?? 'false'
  if (!/^(true|false|1|0)$/i.test(text)) reader.refuse(`${name}: "${text}" is not true or false`)
  return /^(true|1)$/i.test(text)
}

function readWebSocket(reader: OptionReader): WebSocketConfig {
  const hubs = readHubs(reader)
  const [tokenName, token] = textOrFile(reader, 'TOKEN', 'TOKEN_FILE')
  checkToken(reader, tokenName, token ?? '')
  if (hubs.length > 0 && token) return { mode: 'dial', hubs, token }
  if (hubs.length > 0) reader.remark('HUB_URL is set but TOKEN is not: the hub can only reach this agent over SSH')
  else if (token && reader.text('HUB_URL') === undefined)
    reader.remark('TOKEN is set but HUB_URL is not: the hub can only reach this agent over SSH')
  return { mode: 'off' }
}

/**
 * Reports a problem with `reader.refuse` unless `token`, by which the agent signs in at the hub, is visible ASCII of at most 64 characters.
 * `name` is the option's name in the message, which never contains the token.
 */
function checkToken(reader: OptionReader, name: string, token: string): void {
  if (!/^[\x21-\x7e]*$/.test(token)) reader.refuse(`${name}: contains characters no token has`)
  else if (token.length > MAX_TOKEN_BYTES) reader.refuse(`${name}: is longer than ${MAX_TOKEN_BYTES} characters`)
}

/** Highest user id on Linux, 2^32 − 3; a higher number in the option RUN_AS is refused. The two numbers above it mean "no user". */
const MAX_USER = 2 ** 32 - 3

function readUser(reader: OptionReader): number | undefined {
  const text = reader.text('RUN_AS')
  if (text === undefined) return undefined
  const user = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (user <= MAX_USER) return user
  reader.refuse(`RUN_AS: "${text}" is not the number of a user`)
  return undefined
}

function readLogLevel(reader: OptionReader): LogLevel {
  const text = (reader.text('LOG_LEVEL') ?? 'info').toLowerCase()
  if (text === 'debug' || text === 'info' || text === 'warn' || text === 'error') return text
  reader.refuse(`LOG_LEVEL: "${text}" is not one of debug, info, warn, error`)
  return 'info'
}
