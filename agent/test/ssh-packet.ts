/** Builds an unencrypted SSH packet with the payload, RFC 4253 section 6. */
export function sshPacket(payload: Uint8Array): Buffer {
  const padding = 8 + ((8 - ((5 + payload.length) % 8)) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + padding)
  head.writeUInt8(padding, 4)
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}
