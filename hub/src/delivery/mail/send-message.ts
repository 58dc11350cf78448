import { isIP } from 'node:net'
import { isLoopback } from '../../platform/network/ip-address.ts'
import { addressesForAdmins, UnreachableError } from '../../platform/outgoing/reachable-address.ts'
import type { Message } from './email.ts'
import type { Sender, SmtpSettings } from '../../settings/settings-fields.ts'

/** Error when the mail server did not accept an email. `reason` is a text for admins and contains the server's response. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly reason: string
  /**
   * True when the mail server will not accept this email later either, because it rejected the email for good. Then the hub does not retry
   * it.
   */
  readonly isFinal: boolean
  constructor(reason: string, isFinal: boolean, cause: unknown) {
    super(`Cannot send the mail: ${reason}`, { cause })
    this.reason = reason
    this.isFinal = isFinal
  }
}

export type Envelope = {
  readonly smtp: SmtpSettings
  readonly sender: Sender
  readonly message: Message
  readonly messageId: string
  /** Abort signal that closes the connection to the mail server. Sending then rejects, and the email counts as not sent. */
  readonly signal?: AbortSignal | undefined
}

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const LONGEST_REASON = 500

/** Sends one email by SMTP. Resolves when the server has accepted it; rejects with {@link MailFailure}. */
export async function sendMessage({ smtp, sender, message, messageId, signal }: Envelope): Promise<void> {
  const addresses = await addressesForAdmins(smtp.host, signal).catch((error: unknown) => {
    throw error instanceof UnreachableError ? new MailFailure(error.message, false, error) : error
  })
  // Loaded with the first email, because most hubs send none.
  const { createTransport } = await import('nodemailer')
  for (const [at, address] of addresses.entries()) {
    const transport = createTransport({
      // The address that was checked. The name may resolve to another one by now.
      host: address,
      port: smtp.port,
      secure: smtp.encryption === 'tls',
      // A password is sent without TLS to this machine only.
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
        ...(signal === undefined ? {} : { signal }),
        // Prevents automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return
    } catch (error) {
      if (at === addresses.length - 1 || !isWithoutResponse(error)) throw failureOf(error)
    } finally {
      transport.close()
    }
  }
}

type SmtpError = Error & { readonly code?: string; readonly response?: string; readonly responseCode?: number }

/**
 * Returns true for an error of an SMTP connection without any response of the server. Then another IP address of the same host is tried.
 */
function isWithoutResponse(error: unknown): boolean {
  const { code, response } = asSmtpError(error)
  return response === undefined && (code === 'ESOCKET' || code === 'ECONNECTION' || code === 'ETIMEDOUT')
}

function failureOf(error: unknown): MailFailure {
  const { code, response, responseCode = 0, message } = asSmtpError(error)
  const reason = (response ?? message)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_REASON)
  // Admins can correct wrong settings, so those are retried. An email that the server rejects stays rejected.
  const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return new MailFailure(reason, isFinal, error)
}

/**
 * Returns a thrown value as an error with the optional SMTP fields `code` and `response`. Any value that is not an Error becomes one with
 * the value's text.
 */
function asSmtpError(error: unknown): SmtpError {
  return error instanceof Error ? error : new Error(String(error))
}
