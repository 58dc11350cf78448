/** How the connection is encrypted: from its first byte, by STARTTLS or not at all, or by STARTTLS where it is offered. */
export const encryptions = ['tls', 'starttls', 'auto'] as const
export type Encryption = (typeof encryptions)[number]

/** `''`: whichever the server offers first. */
export const authMethods = ['', 'PLAIN', 'LOGIN', 'CRAM-MD5'] as const
export type AuthMethod = (typeof authMethods)[number]

/** The server that takes the hub's letters. */
export type SmtpSettings = {
  readonly enabled: boolean
  readonly host: string
  readonly port: number
  readonly encryption: Encryption
  readonly authMethod: AuthMethod
  /** `''`: without signing in. */
  readonly username: string
  readonly password: string
  /** What the hub calls itself; `''`: the machine's name. */
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
