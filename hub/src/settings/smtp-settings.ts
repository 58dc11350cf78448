/** Encryption: `tls` from the first byte, `starttls` required, `auto` STARTTLS if the server offers it. */
export const encryptions = ['tls', 'starttls', 'auto'] as const
export type Encryption = (typeof encryptions)[number]

/** Authentication methods; `''` uses the first one that the server offers. */
export const authMethods = ['', 'PLAIN', 'LOGIN', 'CRAM-MD5'] as const
export type AuthMethod = (typeof authMethods)[number]

/** Settings of the mail server. */
export type SmtpSettings = {
  readonly enabled: boolean
  readonly host: string
  readonly port: number
  readonly encryption: Encryption
  readonly authMethod: AuthMethod
  /** `''` for no authentication. */
  readonly username: string
  readonly password: string
  /** Name in EHLO; `''` uses the machine's name. */
  readonly localName: string
}

export type Sender = { readonly name: string; readonly address: string }

export const defaultSmtp: SmtpSettings = {
  enabled: false,
  host: '',
  port: 587,
  encryption: 'auto',
  authMethod: '',
  username: '',
  password: '',
  localName: '',
}
