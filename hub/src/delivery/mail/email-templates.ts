import { type EmailContent, renderEmail, type Language, type Message } from './email.ts'

/**
 * Input of an email template: the `kind` of email, such as `password-reset`, with the data for it, such as the `url` of its link. `appName`
 * is the hub's name from the settings.
 */
export type Subject = { readonly appName: string } & (
  | { readonly kind: 'password-reset' | 'verification'; readonly url: string }
  | { readonly kind: 'email-change'; readonly url: string; readonly newEmail: string }
  | { readonly kind: 'otp'; readonly code: string; readonly lifetimeSeconds: number }
  | { readonly kind: 'login-alert'; readonly at: string; readonly address: string; readonly browser: string; readonly url: string }
)

/** Name of a kind of email, such as `password-reset`. Clients use these names to request a test email. */
export type EmailKind = Subject['kind']
export const emailKinds: readonly EmailKind[] = ['verification', 'password-reset', 'email-change', 'otp', 'login-alert']

/**
 * Renders the texts of an email (subject, paragraphs, link or code) in a language. `subject` is the template's input: the kind of email,
 * such as `otp`, and its data.
 */
export const emailContentOf = (language: Language, subject: Subject): EmailContent => ({
  ...written[language](subject),
  signature: subject.appName,
})

type Written = (subject: Subject) => Omit<EmailContent, 'signature'>

const written: Readonly<Record<Language, Written>> = { en: english, de: german }

const minutes = (seconds: number): number => Math.max(1, Math.round(seconds / 60))

function english(subject: Subject): Omit<EmailContent, 'signature'> {
  const { appName } = subject
  const greeting = 'Hello,'
  switch (subject.kind) {
    case 'password-reset':
      return {
        subject: `Set a new ${appName} password`,
        greeting,
        lead: `you requested a new password for your account at ${appName}. Set it with this link:`,
        action: { label: 'Set a new password', url: subject.url },
        notes: [
          'The link is valid for 30 minutes and can be used once.',
          'If it was not you, ignore this email: your password does not change.',
        ],
      }
    case 'verification':
      return {
        subject: `Confirm your address for ${appName}`,
        greeting,
        lead: `confirm your email address with this link, so that you can sign in to ${appName}:`,
        action: { label: 'Confirm the address', url: subject.url },
        notes: ['The link is valid for 24 hours and can be used once.', 'If you have no account there, ignore this email.'],
      }
    case 'email-change':
      return {
        subject: `Confirm your new address for ${appName}`,
        greeting,
        lead: `${subject.newEmail} becomes the address of your account at ${appName} when you confirm it with this link and your password:`,
        action: { label: 'Use this address', url: subject.url },
        notes: ['The link is valid for 30 minutes and can be used once.', 'If it was not you, ignore this email: nothing changes.'],
      }
    case 'otp':
      return {
        subject: `Your code for ${appName}`,
        greeting,
        lead: `your code for signing in to ${appName}:`,
        code: subject.code,
        notes: [
          `The code is valid for ${minutes(subject.lifetimeSeconds)} minutes and can be used once. Nobody will ever ask you for it.`,
          'If you are not signing in right now, change your password: somebody else is trying to sign in.',
        ],
      }
    case 'login-alert':
      return {
        subject: `New sign-in to ${appName}`,
        greeting,
        lead: `there was a sign-in to your account at ${appName} from a new address or browser:`,
        facts: [`When: ${subject.at}`, `From: ${subject.address}`, `With: ${subject.browser}`],
        notes: ['If it was you, ignore this email.', `If it was not you, set a new password now. This ends all sessions: ${subject.url}`],
      }
  }
}

function german(subject: Subject): Omit<EmailContent, 'signature'> {
  const { appName } = subject
  const greeting = 'Hallo,'
  switch (subject.kind) {
    case 'password-reset':
      return {
        subject: `Neues Passwort für ${appName} setzen`,
        greeting,
        lead: `für dein Konto bei ${appName} wurde ein neues Passwort angefordert. Mit diesem Link setzt du es:`,
        action: { label: 'Neues Passwort setzen', url: subject.url },
        notes: ['Der Link gilt 30 Minuten lang und nur einmal.', 'Warst du es nicht, ist nichts zu tun: Dein Passwort bleibt, wie es ist.'],
      }
    case 'verification':
      return {
        subject: `Adresse für ${appName} bestätigen`,
        greeting,
        lead: `mit diesem Link bestätigst du, dass diese Adresse dir gehört, damit du dich bei ${appName} anmelden kannst:`,
        action: { label: 'Adresse bestätigen', url: subject.url },
        notes: ['Der Link gilt einen Tag lang und nur einmal.', 'Hast du dort kein Konto, ignoriere diese Nachricht.'],
      }
    case 'email-change':
      return {
        subject: `Neue Adresse für ${appName} bestätigen`,
        greeting,
        lead: `mit diesem Link und deinem Passwort wird ${subject.newEmail} die Adresse deines Kontos bei ${appName}:`,
        action: { label: 'Diese Adresse verwenden', url: subject.url },
        notes: [
          'Der Link gilt 30 Minuten lang und nur einmal.',
          'Hast du das nicht angefordert, ignoriere diese Nachricht: Es ändert sich nichts.',
        ],
      }
    case 'otp':
      return {
        subject: `Dein Code für ${appName}`,
        greeting,
        lead: `dies ist dein Code für die Anmeldung bei ${appName}:`,
        code: subject.code,
        notes: [
          `Er gilt ${minutes(subject.lifetimeSeconds)} Minuten lang und nur einmal. Niemand wird dich je danach fragen.`,
          'Meldest du dich gerade nicht an, versucht es jemand anderes: Ändere dein Passwort.',
        ],
      }
    case 'login-alert':
      return {
        subject: `Neue Anmeldung bei ${appName}`,
        greeting,
        lead: `jemand hat sich mit deinem Konto bei ${appName} von einem Ort aus angemeldet, von dem aus es bisher nicht benutzt wurde:`,
        facts: [`Wann: ${subject.at}`, `Von: ${subject.address}`, `Mit: ${subject.browser}`],
        notes: [
          'Warst du es, ist nichts zu tun.',
          `Warst du es nicht, setze sofort ein neues Passwort; das beendet alle Sitzungen: ${subject.url}`,
        ],
      }
  }
}

type MailContext = { readonly appName: string; readonly url: string; readonly language: Language }

/**
 * Creates a rendered sample email to the address `to`, for an admin who tests the mail server. Its link is `url`, and its code is made up.
 */
export function exampleEmail(kind: Subject['kind'], to: string, { appName, url, language }: MailContext): Message {
  const subjects: Readonly<Record<Subject['kind'], Subject>> = {
    'password-reset': { kind: 'password-reset', appName, url },
    verification: { kind: 'verification', appName, url },
    'email-change': { kind: 'email-change', appName, url, newEmail: to },
    otp: { kind: 'otp', appName, code: '123456', lifetimeSeconds: 180 },
    'login-alert': { kind: 'login-alert', appName, at: '2000-01-01 00:00 UTC', address: '192.0.2.1', browser: 'Vedette', url },
  }
  return renderEmail(to, emailContentOf(language, subjects[kind]))
}
