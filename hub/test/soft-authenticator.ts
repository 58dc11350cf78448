import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type CreationOptions = { readonly challenge: string; readonly rp: { readonly id: string }; readonly user: { readonly id: string } }
type RequestOptions = { readonly challenge: string }

/** Deviations of a response from a correct one. */
type Fault = {
  readonly origin?: string
  readonly rpId?: string
  readonly isUnverified?: boolean
  readonly counter?: number
  readonly userHandle?: string
  readonly challenge?: string
  readonly type?: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url')

/** An authenticator in software with one passkey (WebAuthn level 2, ES256, attestation `none`), and a page at `origin` that uses it. */
export function softAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  let userHandle = ''
  let rpId = new URL(origin).hostname

  const clientData = (type: string, challenge: string, fault: Fault): string =>
    JSON.stringify({
      type: fault.type ?? type,
      challenge: fault.challenge ?? challenge,
      origin: fault.origin ?? origin,
      crossOrigin: false,
    })

  function authenticatorData(flags: number, fault: Fault): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(fault.counter ?? (counter += 1))
    return Buffer.concat([sha256(fault.rpId ?? rpId), Buffer.from([flags & (fault.isUnverified === true ? ~USER_VERIFIED : 0xff)]), count])
  }

  return {
    id: base64url(id),
    /** The response to the options of a registration. */
    create(options: CreationOptions, fault: Fault = {}) {
      rpId = options.rp.id
      userHandle = options.user.id
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
        Buffer.from(x, 'base64url'),
        Buffer.from([0x22, 0x58, 0x20]),
        Buffer.from(y, 'base64url'),
      ])
      const data = Buffer.concat([
        authenticatorData(USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, fault),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ])
      const attestation = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge, fault)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      }
      return { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {}, response }
    },

    /** The response to the options of a sign-in. */
    get({ challenge }: RequestOptions, fault: Fault = {}) {
      const data = authenticatorData(USER_PRESENT | USER_VERIFIED, fault)
      const json = clientData('webauthn.get', challenge, fault)
      const response = {
        clientDataJSON: base64url(json),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(json)]), privateKey)),
        userHandle: fault.userHandle ?? userHandle,
      }
      return { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {}, response }
    },
  }
}

export type SoftAuthenticator = ReturnType<typeof softAuthenticator>
