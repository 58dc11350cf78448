import { z } from 'zod'
import { blank, isEmail } from '../records/model/field-check.ts'
import type { FieldError } from '../records/model/record-error.ts'
import { text } from '../records/model/field-errors.ts'

const notEmail: FieldError = { code: 'validation_is_email', message: 'Must be a valid email address.' }
const notUrl: FieldError = { code: 'validation_is_url', message: 'Must be a valid http or https address.' }

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** The hub's name and address, and the sender of its emails. */
export const metaForm = (needsSender: boolean) =>
  z.object({
    appName: text((name) => (name === '' ? blank : undefined)),
    appURL: text((url) => (url === '' ? blank : isWebAddress(url) ? undefined : notUrl)),
    senderName: text((name) => (needsSender && name === '' ? blank : undefined)),
    senderAddress: text((address) => {
      if (address === '') return needsSender ? blank : undefined
      return isEmail(address) ? undefined : notEmail
    }),
  })
