/** The least that a program needs to talk to the service: undici, and a session. */
const { Agent, request } = require("undici");

const { TENANCY_BASE_URL: baseUrl, TENANCY_USERNAME: username, TENANCY_PASSWORD: password } = process.env;

exports.logIn = async (connections) => {
  const dispatcher = new Agent({ connections });
  const send = async (method, path, headers, body) => {
    const answer = await request(baseUrl + path, { method, dispatcher, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text;
  };
  const json = { "content-type": "application/json" };
  const grant = JSON.stringify({ grant_type: "password", username, password });
  const { access_token: token } = JSON.parse(await send("POST", "/api/oauth2/token", json, grant));
  const authorization = `Bearer ${token}`;
  return {
    get: (path) => send("GET", path, { authorization }),
    post: (path, body) => send("POST", path, { authorization, ...json }, body),
    close: () => dispatcher.close(),
  };
};
