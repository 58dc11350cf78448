import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../../platform/json.ts'
import type { ConfigFile } from './config-form.ts'
import type { ConfigPath, ConfigProblem } from './config-problem.ts'
import { type ConfigEntry, type ConfigSection } from './config-section.ts'
import { withPassword } from './config-settings.ts'
import { withProviderSecrets } from './config-sign-in.ts'
import { textsIn } from './config-fields.ts'
import { configSections } from './config-sections.ts'

/**
 * Functions that read the secrets to which a configuration file refers, from environment variables and files. They return `undefined` for a
 * secret that does not exist or cannot be read.
 */
export type SecretSource = {
  /** Returns the value of the environment variable with this name; `undefined` if it is not set. */
  readonly variable: (name: string) => string | undefined
  /**
   * Returns the text of the file at this path without the line end at its end. `undefined` if the file is missing, unreadable or too large.
   */
  readonly file: (path: string) => string | undefined
}

/**
 * Result of resolving the secrets of a configuration file. `config` has the secrets in place of the references; `problems` has an error for
 * each secret that is missing or empty.
 */
export type ResolvedConfig = { readonly config: ConfigFile; readonly problems: readonly ConfigProblem[] }

/**
 * Replaces each reference to a secret in a configuration file (`{ env }` or `{ file }`) by the secret. References whose secret is missing
 * or empty become errors in the result, and the secret is `''` there.
 */
export function resolveSecrets(config: ConfigFile, source: SecretSource): ResolvedConfig {
  const problems: ConfigProblem[] = []
  const secretOf = (reference: Json, path: ConfigPath): string => {
    const { env, file } = isJsonObject(reference) ? reference : {}
    const secret = typeof env === 'string' ? source.variable(env) : typeof file === 'string' ? source.file(file) : undefined
    if (secret === undefined || secret === '') {
      const missing =
        typeof env === 'string'
          ? `the environment variable ${env} is not set`
          : `the file ${JSON.stringify(file)} cannot be read or is empty`
      problems.push({ path, message: missing })
    }
    return secret ?? ''
  }
  const resolved = mapSecrets(config, (value, path) =>
    (Array.isArray(value) ? value : []).map((one: Json, at) => secretOf(one, [...path, at])),
  )
  const settings = config.settings && withPassword(config.settings, secretOf)
  const signIn = config.signIn && withProviderSecrets(config.signIn, secretOf)
  return { config: { ...resolved, ...(settings && { settings }), ...(signIn && { signIn }) }, problems }
}

/**
 * Replaces the channel addresses and the mail server's password in a configuration by references to environment variables, such as `{ env:
 * CHANNEL_ANN_EXAMPLE_COM_1 }`. Client secrets of providers must be references already. Equal configurations get equal names.
 */
export function hideSecrets(config: ConfigFile): ConfigFile {
  const used = new Set<string>()
  const hidden = mapSecrets(config, (value, _, owner) =>
    textsIn(value).map((_secret, at) => {
      const base = `CHANNEL_${owner.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_${at + 1}`
      let name = base
      for (let no = 2; used.has(name); no += 1) name = `${base}_${no}`
      used.add(name)
      return { env: name }
    }),
  )
  if (config.settings === undefined) return hidden
  return { ...hidden, settings: withPassword(config.settings, () => ({ env: 'SMTP_PASSWORD' })) }
}

type MapSecret = (value: Json, path: ConfigPath, owner: string) => Json

function mapSecrets(config: ConfigFile, change: MapSecret): ConfigFile {
  const sections = configSections.flatMap((section): [string, readonly ConfigEntry[]][] => {
    const entries = ownValue(config, section.name)
    return Array.isArray(entries) ? [[section.name, entries.map((entry: ConfigEntry, at) => changed(section, { entry, at }, change))]] : []
  })
  return { ...config, ...Object.fromEntries(sections) }
}

function changed(
  section: ConfigSection,
  { entry, at }: { readonly entry: ConfigEntry; readonly at: number },
  change: MapSecret,
): ConfigEntry {
  const secret = section.fields.filter(({ isSecret }) => isSecret === true).map(({ name }) => name)
  const owner = ownValue(entry, section.key[0] ?? '')
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      secret.includes(name) ? change(value, [section.name, at, name], typeof owner === 'string' ? owner : '') : value,
    ]),
  )
}
