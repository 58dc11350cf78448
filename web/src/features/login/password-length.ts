/** The hub refuses a shorter password. */
export const MIN_PASSWORD_LENGTH = 8
