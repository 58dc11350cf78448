import { isIP } from 'node:net'
import { isLoopback } from '../../platform/network/ip-address.ts'
import { addressesForAdmins, UnreachableError } from '../../platform/outgoing/reachable-address.ts'
import type { Message } from './message.ts'
import type { Sender, SmtpSettings } from '../../settings/smtp-settings.ts'

/** A letter that the server did not take. `reason` is for admins: it carries the server's own answer. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly reason: string
  /** The same letter will not be taken later either. */
  readonly isFinal: boolean
  constructor(reason: string, isFinal: boolean, cause: unknown) {
    super(`Cannot send the mail: ${reason}`, { cause })
    this.reason = reason
    this.isFinal = isFinal
  }
}

export type Envelope = { readonly smtp: SmtpSettings; readonly sender: Sender; readonly message: Message; readonly messageId: string }

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const LONGEST_REASON = 500

/** Hands one letter to the server. Resolves once the server has taken it; throws {@link MailFailure}. */
export async function sendMessage({ smtp, sender, message, messageId }: Envelope): Promise<void> {
  const addresses = await addressesForAdmins(smtp.host).catch((error: unknown) => {
    throw error instanceof UnreachableError ? new MailFailure(error.message, false, error) : error
  })
  // Loaded when the first letter is sent: most hubs send none.
  const { createTransport } = await import('nodemailer')
  for (const [at, address] of addresses.entries()) {
    const transport = createTransport({
      // The address that was checked, not a name that may be another one by now.
      host: address,
      port: smtp.port,
      secure: smtp.encryption === 'tls',
      // A password goes to nobody in clear text but to this machine.
      requireTLS: smtp.encryption === 'starttls' || (smtp.username !== '' && !isLoopback(address)),
      tls: { minVersion: 'TLSv1.2', ...(isIP(smtp.host) === 0 ? { servername: smtp.host } : {}) },
      ...(smtp.username === '' ? {} : { auth: { user: smtp.username, pass: smtp.password } }),
      ...(smtp.authMethod === '' ? {} : { authMethod: smtp.authMethod }),
      ...(smtp.localName === '' ? {} : { name: smtp.localName }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await transport.sendMail({
        from: { name: sender.name, address: sender.address },
        to: { name: '', address: message.to },
        subject: message.subject,
        text: message.text,
        html: message.html,
        messageId,
        // Nobody's holiday answers (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return
    } catch (error) {
      if (at === addresses.length - 1 || !neverSpoke(error)) throw failureOf(error)
    } finally {
      transport.close()
    }
  }
}

type SmtpError = Error & { readonly code?: string; readonly response?: string; readonly responseCode?: number }

/** Nobody was there: another address of the same host may do. */
function neverSpoke(error: unknown): boolean {
  const { code, response } = asSmtpError(error)
  return response === undefined && (code === 'ESOCKET' || code === 'ECONNECTION' || code === 'ETIMEDOUT')
}

function failureOf(error: unknown): MailFailure {
  const { code, response, responseCode = 0, message } = asSmtpError(error)
  const said = (response ?? message)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_REASON)
  // What is wrong with the settings can be put right; what is wrong with the letter cannot.
  const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return new MailFailure(said, isFinal, error)
}

/** Errors of the library say more than others; of others only the message is there. */
function asSmtpError(error: unknown): SmtpError {
  return error instanceof Error ? error : new Error(String(error))
}
