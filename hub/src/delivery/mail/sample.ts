import { composeMessage } from './letter.ts'
import { letterOf, type Subject } from './letters.ts'
import type { Language, Message } from './message.ts'

type MailContext = { readonly appName: string; readonly url: string; readonly language: Language }

/** A sample email with a link and a code that do nothing, for an admin who tests the mail server. */
export function sampleMessage(kind: Subject['kind'], to: string, { appName, url, language }: MailContext): Message {
  const subjects: Readonly<Record<Subject['kind'], Subject>> = {
    'password-reset': { kind: 'password-reset', appName, url },
    verification: { kind: 'verification', appName, url },
    'email-change': { kind: 'email-change', appName, url, newEmail: to },
    otp: { kind: 'otp', appName, code: '123456', lifetimeSeconds: 180 },
    'login-alert': { kind: 'login-alert', appName, at: '2000-01-01 00:00 UTC', address: '192.0.2.1', browser: 'Vedette', url },
  }
  return composeMessage(to, letterOf(language, subjects[kind]))
}
