import { z } from 'zod'

const s3 = z.object({
  enabled: z.boolean(),
  bucket: z.string(),
  region: z.string(),
  endpoint: z.string(),
  accessKey: z.string(),
  forcePathStyle: z.boolean(),
})

/**
 * Schema of all settings as clients read them, in the format that existing clients expect. Besides the changeable ones it has those of
 * features that this hub lacks, such as S3, with fixed values.
 */
export const settingsSchema = z.object({
  superuserIPs: z.array(z.string()).readonly(),
  smtp: z.object({
    enabled: z.boolean(),
    host: z.string(),
    port: z.number(),
    encryption: z.enum(['auto', 'starttls', 'tls']),
    authMethod: z.string(),
    username: z.string(),
    localName: z.string(),
    tls: z.boolean(),
  }),
  backups: z.object({ cron: z.string(), cronMaxKeep: z.number(), s3 }),
  s3,
  meta: z.object({
    accentColor: z.string(),
    appName: z.string(),
    appURL: z.string(),
    senderName: z.string(),
    senderAddress: z.string(),
    hideControls: z.boolean(),
  }),
  rateLimits: z.object({
    enabled: z.boolean(),
    rules: z
      .array(z.object({ label: z.string(), audience: z.enum(['', '@guest', '@auth']), maxRequests: z.number(), duration: z.number() }))
      .readonly(),
    excludedIPs: z.array(z.string()).readonly(),
  }),
  trustedProxy: z.object({
    headers: z.array(z.string()).readonly(),
    useLeftmostIP: z.boolean(),
    networks: z.array(z.string()).readonly(),
  }),
  batch: z.object({ enabled: z.boolean(), maxRequests: z.number(), timeout: z.number(), maxBodySize: z.number() }),
  logs: z.object({
    maxDays: z.number(),
    minLevel: z.number(),
    logIP: z.boolean(),
    logAuthId: z.boolean(),
    maxRows: z.number(),
    maxBytes: z.number(),
  }),
})

export type SettingsForm = z.infer<typeof settingsSchema>
