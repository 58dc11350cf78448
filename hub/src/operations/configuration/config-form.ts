import { z } from 'zod'
import type { ConfigEntry } from './config-section.ts'
import { configSettingsForm, type ConfigSettings } from './config-settings.ts'
import { configSignInForm, type ConfigSignIn } from './config-sign-in.ts'
import { configSections } from './config-sections.ts'

/** Maximum number of records in one configuration file, all sections together: 20,000. A file with more is refused. */
export const MOST_RECORDS = 20_000

const sectionForms = Object.fromEntries(
  configSections.map(({ name, noun, fields }) => [
    name,
    z
      .array(z.strictObject(Object.fromEntries(fields.map((field) => [field.name, field.schema]))))
      .max(MOST_RECORDS)
      .describe(`List of each ${noun}. Without the section, nothing of this kind changes.`)
      .optional(),
  ]),
)

/** Schema of a configuration file: its version, settings and sections. The JSON schema for editors is derived from it. */
export const configForm = z.strictObject({
  version: z.literal(1).describe('Version of the format.'),
  settings: configSettingsForm.optional(),
  signIn: configSignInForm.optional(),
  ...sectionForms,
})

/**
 * Configuration file after its schema was checked: version, settings, ways to sign in, and a list of entries for each section such as
 * `systems`. Parts that the file lacks are `undefined`.
 */
export type ConfigFile = {
  readonly version: 1
  readonly settings?: ConfigSettings | undefined
  readonly signIn?: ConfigSignIn | undefined
} & {
  readonly [section: string]: readonly ConfigEntry[] | ConfigSettings | ConfigSignIn | 1 | undefined
}

/** Returns the JSON schema (draft 2020-12) of a configuration file, for editors and other programs. */
export const configJsonSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of a Vedette hub',
  ...z.toJSONSchema(configForm, { io: 'input' }),
})
