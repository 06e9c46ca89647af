// An OpenID provider for the tests: oidc-provider as it is, with people who have no passwords. It signs its tokens with
// a key that the tests have too, so that they can make tokens that a provider would not give out.
import { createServer } from "node:http";
import { createRequire } from "node:module";

const require = createRequire(process.env.MODULES);
const { default: Provider } = await import(require.resolve("oidc-provider"));
const settings = JSON.parse(process.env.SETTINGS); // issuer, jwks, redirects, after, people

const provider = new Provider(settings.issuer, {
  clients: [{ client_id: "mailkin", client_secret: "the-secret-of-the-client", redirect_uris: settings.redirects, post_logout_redirect_uris: settings.after }],
  jwks: settings.jwks,
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
  scopes: ["openid", "email", "profile", "groups"],
  pkce: { required: () => true },
  cookies: { keys: ["a key of the tests"] },
  features: { devInteractions: { enabled: true } },
  async findAccount(_, sub) {
    const person = settings.people[sub];
    return person && { accountId: sub, claims: () => ({ sub, ...person }) };
  },
  async loadExistingGrant(ctx) { // nobody is asked for consent
    const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
    grant.addOIDCScope("openid email profile groups");
    await grant.save();
    return grant;
  },
});
provider.proxy = true; // the tests stand in front

const server = createServer(provider.callback());
server.listen(0, "127.0.0.1", () => console.log(`listening on 127.0.0.1:${server.address().port}`));
