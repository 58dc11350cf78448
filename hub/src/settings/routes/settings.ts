import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { Hono, type Context } from 'hono'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Clock } from '../../platform/clock.ts'
import { letterKinds } from '../../delivery/mail/letters.ts'
import { sampleMessage } from '../../delivery/mail/sample.ts'
import { MailFailure, sendMessage } from '../../delivery/mail/send-message.ts'
import { changesBetween, noteInAudit } from '../../records/writing/audit-log.ts'
import { isEmail } from '../../records/model/field-check.ts'
import { fieldPicker } from '../../records/presentation/pick-fields.ts'
import { randomId } from '../../records/model/record-id.ts'
import { badRequest, type FieldError } from '../../records/model/record-error.ts'
import { changedSettings, mailChanged, settingsForm } from '../settings-form.ts'
import type { HubSettings } from '../settings.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'
import { languageOf } from '../../http/requests/visitor.ts'

/** The settings of the hub, for admins. */
export function settingsRoute(clock: Clock, { settings, delivery, ways }: Accounts, namesProxies: boolean): Hono<RequestContext> {
  const shown = (c: Context<RequestContext>, found: HubSettings) => c.json(fieldPicker(c.req.query('fields') ?? '')(settingsForm(found)))

  return new Hono<RequestContext>()
    .get('/api/settings', async (c) => {
      askedByAdmin(c)
      return shown(c, await settings.load())
    })
    .patch('/api/settings', async (c) => {
      const { actor } = askedByAdmin(c)
      const before = await settings.load()
      const changed = changedSettings(before, await readBody(c), namesProxies)
      const { users, _superusers } = await ways.load()
      if (before.smtp.enabled && !changed.smtp.enabled && (users.mfa.enabled || _superusers.mfa.enabled)) throw lockedOut()
      const changes = changesBetween(whole(before), whole(changed), (path) => path === 'smtp.password')
      await settings.save(changed, (unit) => noteInAudit(unit, clock.now(), { by: actor, action: 'update', target: 'settings', changes }))
      if (mailChanged(before, changed)) await delivery.hurry()
      return shown(c, changed)
    })
    .post('/api/settings/test/email', async (c) => {
      askedByAdmin(c)
      const { email, template } = await readBody(c)
      const kind = letterKinds.find((one) => one === template)
      if (typeof email !== 'string' || !isEmail(email) || kind === undefined) {
        const errors = {
          ...(typeof email === 'string' && isEmail(email) ? {} : { email: wrong('validation_is_email', 'Must be a valid email address.') }),
          ...(kind === undefined ? { template: wrong('validation_in_invalid', 'Must be a valid value.') } : {}),
        }
        throw badRequest('Failed to send the test email.', errors)
      }
      const { smtp, meta } = await settings.load()
      if (!smtp.enabled) throw untested('This hub sends no mail.')
      const message = sampleMessage(kind, email, { appName: meta.appName, url: meta.appURL, language: languageOf(c).language ?? 'en' })
      const sender = { name: meta.senderName, address: meta.senderAddress }
      try {
        await sendMessage({ smtp, sender, message, messageId: `<${randomId(20)}@${sender.address.split('@').at(-1)}>` })
      } catch (error) {
        throw error instanceof MailFailure ? untested(error.reason) : error
      }
      return c.body(null, 204)
    })
}

/** With the password, which `changesBetween` is told not to tell. */
const whole = ({ meta, smtp, batch, backups, logs, rateLimits, trustedProxy }: HubSettings): JsonObject => ({
  meta,
  smtp: { ...smtp },
  batch,
  backups: { ...backups },
  logs: { ...logs },
  rateLimits: { ...rateLimits, rules: rateLimits.rules.map((rule) => ({ ...rule })) },
  trustedProxy: { ...trustedProxy },
})

const wrong = (code: string, message: string): FieldError => ({ code, message })

/** Who sets up a mail server is told what it said. */
const untested = (reason: string) => badRequest(`Failed to send the test email. Raw error: \n${reason}`)

const lockedOut = () =>
  badRequest('An error occurred while saving the new settings.', {
    smtp: { enabled: wrong('validation_mfa_without_mail', 'Signing in needs codes that are mailed: switch that off first.') },
  })
