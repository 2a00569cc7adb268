function e(t){let n=new URLSearchParams(t.replace(/^#/,"")).get("token")?.trim();return n===void 0||n===""?void 0:n}document.title=(e(location.hash)===void 0,"venued");
