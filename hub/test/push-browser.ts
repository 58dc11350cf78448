import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'

/** A browser that subscribed: what it gives away, and what it alone can do. */
export function pushBrowser() {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const authSecret = Buffer.alloc(16, 5)
  return {
    p256dh: publicKey.toString('base64url'),
    auth: authSecret.toString('base64url'),
    /** Decrypts a push message as a browser does (RFC 8291 section 3.4). */
    decrypted(this: void, sealed: Uint8Array): unknown {
      const bytes = Buffer.from(sealed)
      const [salt, theirs, text] = [bytes.subarray(0, 16), bytes.subarray(21, 86), bytes.subarray(86)]
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, theirs])
      const keyMaterial = Buffer.from(hkdfSync('sha256', pair.computeSecret(theirs), authSecret, info, 32))
      const derived = (purpose: string, length: number) =>
        Buffer.from(hkdfSync('sha256', keyMaterial, salt, `Content-Encoding: ${purpose}\0`, length))
      const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12)).setAuthTag(text.subarray(-16))
      const plain = Buffer.concat([decipher.update(text.subarray(0, -16)), decipher.final()])
      assert.equal(plain.at(-1), 2)
      return JSON.parse(plain.subarray(0, -1).toString('utf8'))
    },
  }
}
