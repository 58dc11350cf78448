import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { needsMailedCodes } from '../../accounts/sessions/sign-in-settings.ts'
import type { Clock } from '../../platform/clock.ts'
import { emailKinds, type EmailKind, exampleEmail } from '../../delivery/mail/email-templates.ts'
import { MailFailure, sendMessage } from '../../delivery/mail/send-message.ts'
import { isEmail } from '../../records/model/field-check.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import { badRequest, type FieldError } from '../../records/model/record-error.ts'
import { noteChangedSettings, refuseMailLockout } from '../saved-settings.ts'
import { changedSettings, mailChanged, settingsForm } from '../settings-form.ts'
import { settingsSchema } from '../settings-schema.ts'
import { languageOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { refusedWith } from '../../records/model/field-errors.ts'
import { fields, sentFields } from '../../http/routing/field-schemas.ts'

type SettingsParts = { readonly accounts: Pick<Accounts, 'settings'> }
type ChangeParts = {
  readonly engine: { readonly clock: Clock }
  readonly accounts: Pick<Accounts, 'settings' | 'delivery' | 'ways'>
  readonly admission: { readonly namesProxies: boolean }
}

export const readSettings = defineRoute('GET /api/settings', {
  tag: 'back-office',
  summary: 'Reads the settings of the hub',
  access: 'admin',
  response: settingsSchema,
  picksFields: true,
  handle: async (_, { accounts }: SettingsParts) => settingsForm(await accounts.settings.load()),
})

export const changeSettings = defineRoute('PATCH /api/settings', {
  tag: 'back-office',
  summary: 'Changes settings',
  access: 'admin',
  body: fields(
    sentFields({
      meta: 'object',
      smtp: 'object',
      batch: 'object',
      backups: 'object',
      logs: 'object',
      rateLimits: 'object',
      trustedProxy: 'object',
    }),
  ),
  response: settingsSchema,
  picksFields: true,
  async handle({ actor, body }, { engine: { clock }, accounts: { settings, delivery, ways }, admission }: ChangeParts) {
    const before = await settings.load()
    const changed = changedSettings(before, await body(), admission.namesProxies)
    refuseMailLockout(before, changed, needsMailedCodes(await ways.load()))
    await settings.save(changed, (unit) => noteChangedSettings(unit, clock.now(), { by: actor, before, after: changed }))
    if (mailChanged(before, changed)) await delivery.retryNow()
    return settingsForm(changed)
  },
})

const wrong = (code: string, message: string): FieldError => ({ code, message })

const emailError = refusedWith(wrong('validation_is_email', 'Must be a valid email address.'))
const kindError = refusedWith(wrong('validation_in_invalid', 'Must be a valid value.'))
const testEmail = z.object({
  email: z.custom<string>((sent) => typeof sent === 'string' && isEmail(sent), emailError).meta({ type: 'string', format: 'email' }),
  template: z.custom<EmailKind>((sent) => emailKinds.some((kind) => kind === sent), kindError).meta({ enum: emailKinds }),
})

export const sendTestEmail = defineRoute('POST /api/settings/test/email', {
  tag: 'back-office',
  summary: 'Sends a test email',
  access: 'admin',
  body: fields(testEmail),
  invalid: 'Failed to send the test email.',
  response: 'nothing',
  async handle({ c, body }, { accounts: { settings } }: SettingsParts) {
    const { email, template } = await body()
    const { smtp, meta } = await settings.load()
    if (!smtp.enabled) throw testEmailFailed('This hub sends no mail.')
    const message = exampleEmail(template, email, { appName: meta.appName, url: meta.appURL, language: languageOf(c).language ?? 'en' })
    const sender = { name: meta.senderName, address: meta.senderAddress }
    try {
      await sendMessage({ smtp, sender, message, messageId: `<${randomId(20)}@${sender.address.split('@').at(-1)}>` })
    } catch (error) {
      throw error instanceof MailFailure ? testEmailFailed(error.reason) : error
    }
  },
})

/**
 * Returns a 400 error for a failed test email. Its message has the reason, such as the mail server's response, because the admin needs it.
 */
const testEmailFailed = (reason: string) => badRequest(`Failed to send the test email. Raw error: \n${reason}`)
