/** For servers of tests on this machine (`localhost`, 127.0.0.1), signed by itself and good for a hundred years. Its key is known to everybody. */
export const localCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgORpTMXqpN2ScPRuB
WACCfwOdxi1cmZlbc2Wvs3IWk16hRANCAATtEC/4tlpDTeXb4n49d0HZxNx3jJaa
T8GANDORyV6FTIYMhXguKEHAbHNeUIT1Q50kQ6vcCqUieZiZoPf0Hzyy
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUEC4t8clJWcreZ1MAb2olG0pzeKgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIyMzAxNloYDzIxMjYxMDI4
MjIzMDE2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATtEC/4tlpDTeXb4n49d0HZxNx3jJaaT8GANDORyV6FTIYMhXguKEHA
bHNeUIT1Q50kQ6vcCqUieZiZoPf0Hzyyo28wbTAdBgNVHQ4EFgQUSs1zzGIpEZgv
RUylH49nuH+5fFEwHwYDVR0jBBgwFoAUSs1zzGIpEZgvRUylH49nuH+5fFEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAPmqxs3snz5wFmAlPtU/d+Fh4MscpZflG3e68KLhqlGbAiBK
ffGildiVSJ9EiBPj4cdivUwZlZrW3eiHQaqJWZA8OA==
-----END CERTIFICATE-----
`,
} as const
